// Light or dark: the system's choice, unless the reader made one. A classic script, so that the first paint is right.
(() => {
  const kept = localStorage.getItem("klea-theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme-switch")?.addEventListener("click", () => {
      const root = document.documentElement;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      localStorage.setItem("klea-theme", root.dataset.theme);
    });
    document.addEventListener("click", (event) => {
      for (const menu of document.querySelectorAll("details.person[open]")) if (!menu.contains(event.target)) menu.open = false;
    });
  });
})();
