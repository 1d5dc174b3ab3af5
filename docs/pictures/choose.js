// Pictures of the page are there light and dark. A browser chooses by its own setting, which is right where the repository is read; the book has
// themes of its own, and its page for printing lies in another folder. Without this the browser's choice stands.
"use strict";
(() => {
  const sources = [...document.querySelectorAll("picture > source")];
  const isPrint = location.pathname.endsWith("/print.html");
  for (const source of sources) if (isPrint) source.srcset = source.getAttribute("srcset").replace(/^(\.\.\/)+/, "");
  const choose = () => {
    const isDark = ["navy", "coal", "ayu"].some((theme) => document.documentElement.classList.contains(theme));
    for (const source of sources) source.media = isDark ? "screen" : "not all";
  };
  new MutationObserver(choose).observe(document.documentElement, { attributeFilter: ["class"] });
  choose();
})();
