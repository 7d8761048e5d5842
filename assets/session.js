/* Signing out, and the way of guests into the shop. Neither waits for the page's own socket. */
(() => {
  const toast = (kind, title, text = "") => {
    (window.storeToasts ||= []).push({ kind, title, text });
    dispatchEvent(new Event("store:toast"));
  };
  /* What the server had to say on the way here, such as why a sign-in was refused. */
  const told = /(?:^|; )flash=([^;]+)/.exec(document.cookie);
  if (told) {
    document.cookie = "flash=; Path=/; Max-Age=0; SameSite=Lax";
    try {
      const { kind, title, text } = JSON.parse(decodeURIComponent(told[1]));
      toast(kind, title, text);
    } catch {
      /* not ours */
    }
  }

  const isGuest = () => !("signedIn" in document.documentElement.dataset);
  const signInFor = (path) => location.assign(`/api/login?return_to=${encodeURIComponent(path)}`);

  const signOut = async () => {
    try {
      const answer = await fetch("/api/auth/logout", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
      });
      if (!answer.ok) throw new Error(String(answer.status));
    } catch {
      toast("error", "Logout failed", "There was an error signing out. Please try again.");
      return;
    }
    sessionStorage.removeItem("token");
    if (window.caches) for (const name of await caches.keys()) await caches.delete(name);
    const flash = { kind: "success", title: "Logged out successfully", text: "You have been signed out of your account." };
    sessionStorage.setItem("flash", JSON.stringify(flash));
    location.assign("/");
  };

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-sign-out]")) {
      event.preventDefault();
      signOut();
      return;
    }
    const link = event.target.closest("a[data-members]");
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    if (link && isPlain && isGuest()) {
      event.preventDefault();
      signInFor(link.getAttribute("href"));
    }
  }, true);

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[role=search]");
    if (!form || !isGuest()) return;
    event.preventDefault();
    event.stopPropagation();
    signInFor(`/?search=${encodeURIComponent(new FormData(form).get("search").trim())}`);
  }, true);
})();
