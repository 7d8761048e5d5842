/* Signing out, deleting the account, copying, downloading, sending guests to sign in, loading suggestions: what only
   the browser can do, or what must not wait for the page's socket. Messages come from the page. */
(() => {
  const { storeMessages: messages, storeToast: toast } = window;
  /* A message that the server left in a cookie, such as why a sign-in was refused. */
  const flash = /(?:^|; )flash=([^;]+)/.exec(document.cookie);
  if (flash) {
    document.cookie = "flash=; Path=/; Max-Age=0; SameSite=Lax";
    try {
      const { kind, title, text } = JSON.parse(decodeURIComponent(flash[1]));
      toast(kind, title, text);
    } catch {
      /* not a cookie of the store */
    }
  }

  const isGuest = () => !("signedIn" in document.documentElement.dataset);
  const signInThenOpen = (path) => location.assign(`/api/login?return_to=${encodeURIComponent(path)}`);

  /* Referral links of the old form, from before the welcome page. */
  const shared = new URLSearchParams(location.search).get("code");
  if (shared && location.pathname.startsWith("/account") && isGuest()) {
    location.replace(`/r/${encodeURIComponent(shared)}`);
  }

  const forgetUser = async (message) => {
    sessionStorage.clear(); // includes this tab's token, under which the server keeps its state
    localStorage.removeItem("recentlyViewed");
    indexedDB.deleteDatabase("drive"); // a driver's run (drive.js)
    if (window.caches) for (const name of await caches.keys()) await caches.delete(name);
    // The message is for the next document: this one, if still hydrating, would show it just before it is unloaded.
    sessionStorage.setItem("flash", JSON.stringify({ kind: "success", from: performance.timeOrigin, ...message }));
    localStorage.setItem("signedOut", String(Date.now()));
    location.assign("/");
  };

  /* The user signed out in another tab: this one must not go on showing what only they may see. */
  addEventListener("storage", (event) => {
    if (event.key !== "signedOut" || event.newValue === null || isGuest()) return;
    sessionStorage.clear();
    location.assign("/");
  });

  const send = (method, path) => fetch(path, { method, headers: { "Content-Type": "application/json" } });

  const signOut = async (control) => {
    const everywhere = control.dataset.signOut === "everywhere" ? "?everywhere=true" : "";
    try {
      const answer = await send("POST", `/api/auth/logout${everywhere}`);
      if (!answer.ok) throw new Error(String(answer.status));
    } catch {
      toast("error", messages.signOutFailed.title, messages.signOutFailed.text);
      return;
    }
    await forgetUser(messages.signedOut);
  };

  const deleteAccount = async (control) => {
    const { deleteAccount: question, done, failed } = control.dataset;
    if (!confirm(question)) return;
    let reason = "";
    try {
      const answer = await send("DELETE", "/api/auth/delete-account");
      if (!answer.ok) {
        reason = (await answer.json()).message;
        throw new Error(String(answer.status));
      }
    } catch {
      toast("error", failed, reason);
      return;
    }
    await forgetUser({ title: done });
  };

  const copy = async (control) => {
    const { copy: text, share, copied, failed, failedText } = control.dataset;
    if (share === "yes" && navigator.share) {
      await navigator.share({ url: text }).catch(() => {}); // closed without sharing
      return;
    }
    try {
      await navigator.clipboard.writeText(text);
      toast("success", copied);
    } catch {
      toast("error", failed, failedText);
    }
  };

  // As a navigation, Chromium would close the page's socket before it finds that the answer is a file.
  const download = (control) =>
    Object.assign(document.createElement("a"), { href: control.dataset.download, download: "" }).click();

  const actions = {
    "[data-sign-out]": signOut,
    "[data-delete-account]": deleteAccount,
    "[data-copy]": copy,
    "[data-download]": download,
  };

  document.addEventListener("click", (event) => {
    for (const [selector, act] of Object.entries(actions)) {
      const control = event.target.closest(selector);
      if (!control) continue;
      event.preventDefault();
      act(control);
      return;
    }
    const link = event.target.closest("a[data-members]");
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    if (link && isPlain && isGuest()) {
      event.preventDefault();
      signInThenOpen(link.getAttribute("href"));
    }
    /* 'Back to Products': to the list as it was left, with its filters, page and scroll (see
       components/shell/navigation.py). */
    const list = sessionStorage.getItem("list");
    const delta = list === null ? 0 : Number(list) - (history.state?.idx ?? 0);
    if (delta < 0 && isPlain && event.target.closest("a[data-back-to-list]")) {
      event.preventDefault();
      history.go(delta);
    }
  }, true);

  /* The script of the suggestions is fetched when a search box first gets the focus, and again after a failure. Text
     typed meanwhile is stored for it. */
  let suggestions;
  const fetchSuggestions = (box) => {
    if (suggestions || !box?.matches?.("[data-suggests]")) return;
    suggestions = document.createElement("script");
    suggestions.src = "/suggest.js";
    suggestions.addEventListener("error", () => {
      suggestions.remove();
      suggestions = undefined;
    });
    document.head.append(suggestions);
  };
  document.addEventListener("focusin", (event) => fetchSuggestions(event.target), true);
  document.addEventListener("input", (event) => {
    window.storeTyped = event.target;
    fetchSuggestions(event.target);
  }, true);
  fetchSuggestions(document.activeElement);

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[role=search]");
    if (!form || !isGuest()) return;
    event.preventDefault();
    event.stopPropagation();
    signInThenOpen(`/?search=${encodeURIComponent(new FormData(form).get("search").trim())}`);
  }, true);
})();
