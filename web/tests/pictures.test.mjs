// That the views look as they did when somebody last looked at them (pictures.mjs says how, and how to say that a change was meant).
import assert from "node:assert/strict";
import { test } from "node:test";
import { begun, differences, otherFonts } from "./pictures.mjs";

test("every view looks as in its picture, in light and dark", async (t) => {
  const browser = await begun();
  t.after(() => browser.close());
  const other = await otherFonts(browser);
  if (other.length > 0) {
    const why = `SKIPPED: all pictures, light and dark. The fonts of this machine are not those of the pictures (${other.join("; ")})`;
    // The gate installs these fonts, so there a difference is a failure.
    assert.notEqual(process.env.CI, "true", why);
    console.log(why);
    t.skip(why);
    return;
  }
  const found = await differences(browser, (line) => t.diagnostic(line));
  assert.deepEqual(found, [], "If the change is meant: node web/tests/pictures.mjs --bless, and look at the pictures before you commit them");
});
