/* Asks before a form that marked itself as changed (`data-changed`) is left with what was typed in it. */
(() => {
  if (window.storeUnsaved) return;
  window.storeUnsaved = true;
  const changed = () => document.querySelector("[data-changed][data-leave]");

  addEventListener("beforeunload", (event) => {
    if (changed()) event.preventDefault();
  });
  /* A link within the store leaves without unloading. Before React hears of it: */
  addEventListener(
    "click",
    (event) => {
      const link = event.target.closest("a[href]");
      const form = changed();
      if (!form || !link || link.target === "_blank" || link.hasAttribute("download") || event.ctrlKey || event.metaKey) return;
      if (new URL(link.href).pathname === location.pathname) return;
      if (confirm(form.dataset.leave)) delete form.dataset.changed;
      else {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    },
    true,
  );
})();
