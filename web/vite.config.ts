// How the page is built: one script, one style sheet, addresses relative to the page, so that it works behind a proxy under any prefix.
// What comes out (dist/) is committed and embedded into qcast: `cargo build` needs no Node. `web/build --check` holds the two together.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  plugins: [svelte()],
  build: {
    target: "es2022",
    // The policy allows no inline script and no data addresses.
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    reportCompressedSize: false,
    // Names that stay, so that the daemon can name them (crates/daemon/src/api/routes/page.rs); it tells browsers when one has changed.
    rolldownOptions: {
      output: { entryFileNames: "assets/page.js", assetFileNames: "assets/page[extname]" },
    },
  },
});
