/* Two panels at the bottom of the page: 'Install App', and the browser privacy notice. Their texts and numbers come
   from the page; <html> holds which one is shown, so that it survives navigation. Also registers the service worker. */
(() => {
  const root = document.documentElement;
  const panel = (name) => document.querySelector(`body [data-panel="${name}"]`);

  const hide = (name) => {
    if (root.dataset.panel !== name) return;
    if (panel(name)?.contains(document.activeElement)) document.getElementById("main")?.focus({ preventScroll: true });
    delete root.dataset.panel;
  };

  let installPrompt;
  const isStandalone = () => matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;
  const later = () => {
    localStorage.setItem("installDismissed", Date.now());
    hide("install");
  };
  const mayAsk = (wait) => {
    const last = localStorage.getItem("installDismissed");
    return last === null || !(Date.now() - last <= wait);
  };

  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installPrompt = event;
    const wait = Number(panel("install")?.dataset.againAfter);
    if (wait && !root.dataset.panel && !isStandalone() && mayAsk(wait)) root.dataset.panel = "install";
  });
  addEventListener("appinstalled", () => hide("install"));

  const accept = async () => {
    if (!installPrompt) return;
    installPrompt.prompt();
    const { outcome } = await installPrompt.userChoice;
    outcome === "accepted" ? hide("install") : later();
  };

  const isPreview = (domain) => domain && `.${location.hostname}`.endsWith(`.${domain}`);
  const showPrivacyNotice = () => {
    const notice = panel("privacy");
    if (!notice || localStorage.getItem("privacyNoticeDismissed")) return;
    if (self !== top || isPreview(notice.dataset.previewDomain)) root.dataset.panel = "privacy";
  };
  const stay = () => {
    localStorage.setItem("privacyNoticeDismissed", "true");
    hide("privacy");
  };

  const actions = { install: accept, later, stay, open: (link) => { link.href = location.href; stay(); } };
  document.addEventListener("click", (event) => {
    const control = event.target.closest("[data-answer]");
    if (control) actions[control.dataset.answer](control);
  }, true);

  const registerWorker = async () => navigator.serviceWorker?.register("/sw.js", { updateViaCache: "none" });
  const onLoad = () => {
    const delay = Number(panel("privacy")?.dataset.after);
    if (delay) setTimeout(showPrivacyNotice, delay);
    registerWorker().catch(() => {}); // not supported in every window
  };
  document.readyState === "complete" ? onLoad() : addEventListener("load", onLoad);
})();
