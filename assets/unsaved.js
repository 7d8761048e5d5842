/* Asks for confirmation before the user leaves a form with unsaved changes (`data-changed`). */
(() => {
  if (window.storeUnsaved) return;
  window.storeUnsaved = true;
  const changed = () => document.querySelector("[data-changed][data-leave]");

  addEventListener("beforeunload", (event) => {
    if (changed()) event.preventDefault();
  });
  /* Links within the store do not unload the page. Handled in the capture phase, before React navigates. */
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
