// Light or dark: the system's choice, unless the reader made one. A classic script, so that the first paint is right.
// The admin keeps its choice under the same name ("light", "dark", "auto").
(() => {
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
})();
