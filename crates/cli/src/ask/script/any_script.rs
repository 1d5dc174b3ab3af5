//! What must hold of any bytes that are read as a job script. Shared with `fuzz/fuzz_targets`.

use crate::ask::script::Script;
use crate::ask::zone::Zone;

/// No panic, the same twice, and a question whose numbers can be checked; or a refusal that names a line that is there. Whether it was read.
pub fn read_any_script(bytes: &[u8]) -> bool {
    let read = Script::read(bytes);
    assert_eq!(Script::read(bytes), read, "the same twice");
    match read {
        Ok(script) => {
            for now in [0, 1_763_209_200, 253_000_000_000] {
                // Whether it may be asked is the question's own to say.
                let _ = script.asked.question(Some("anna".to_owned()), now, &Zone::UTC).check();
            }
            true
        }
        Err(refused) => {
            let lines = bytes.split(|byte| *byte == b'\n').count();
            assert!(refused.line <= lines, "line {} of {lines}", refused.line);
            assert!(!refused.what.is_empty() && !refused.hint.is_empty(), "{refused:?}");
            false
        }
    }
}
