//! A command that runs, with all that it has begun: one group of processes, which ends as one.
//!
//! For: whoever starts programs: Slurm's commands (`queuecast-slurm`) and others' methods (`queuecast-exec`). Ending a shell script leaves
//! what it has begun behind, and that goes on holding our pipes. Whatever is over here, in time or not, is over with its whole group.
//!
//! Not for: who leaves the group on purpose (`setsid`): nobody waits for them, and their output is not read; what a command says, which is
//! its reader's.
//!
//! Source: setpgid(2), kill(2) with a negative number, waitid(2) with `WNOWAIT`. A group's number is that of its first process and
//! means nobody else as long as that one has not been waited for: so it is looked at without waiting, the group is ended, and only
//! then is it waited for.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// All that runs now.
static GROUPS: Mutex<Groups> = Mutex::new(Groups { live: Vec::new(), dying: Vec::new(), is_over: false });

struct Groups {
    /// Those whose first process has not been waited for.
    live: Vec<Pid>,
    /// Those that were ended and hang in the kernel. They are looked after whenever another is begun.
    dying: Vec<Child>,
    /// Whether none is begun any more.
    is_over: bool,
}

/// Ends every command that runs, with all that it has begun, and lets none begin any more: for a process that is about to end, since
/// nobody would be left to do it.
pub fn end_commands() {
    let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
    groups.is_over = true;
    for &group in &groups.live {
        end(group);
    }
}

/// A command that runs. Dropped, it is ended.
#[derive(Debug)]
pub struct Group {
    /// Gone once it was waited for.
    child: Option<Child>,
    first: Pid,
}

impl Group {
    /// Starts a command in a group of its own.
    pub fn begin(command: &mut Command) -> io::Result<Self> {
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        groups.dying.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        if groups.is_over {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "not asked, since we are about to end"));
        }
        let child = command.process_group(0).spawn()?;
        let number = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let first = number.ok_or_else(|| io::Error::other("a process without a number"))?;
        groups.live.push(first);
        Ok(Self { child: Some(child), first })
    }

    /// Its first process, for its pipes; gone once it was waited for.
    pub fn child(&mut self) -> Option<&mut Child> {
        self.child.as_mut()
    }

    /// Whether its first process has ended. It is not waited for, so its number stays its own.
    pub fn has_ended(&self) -> io::Result<bool> {
        let looked = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        Ok(waitid(WaitId::Pid(self.first), looked)?.is_some())
    }

    /// How its first process ended, which it has. Whoever it has left behind is ended.
    pub fn over(mut self) -> io::Result<ExitStatus> {
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        end(self.first);
        groups.live.retain(|group| *group != self.first);
        match self.child.take() {
            Some(mut child) => child.wait(),
            None => Err(io::Error::other("it was waited for before")),
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        end(self.first);
        groups.live.retain(|group| *group != self.first);
        // One that hangs in the kernel must not hold the asker up.
        if matches!(child.try_wait(), Ok(None)) {
            groups.dying.push(child);
        }
    }
}

/// That nobody is left is what was wanted.
fn end(group: Pid) {
    let _ = kill_process_group(group, Signal::KILL);
}
