/* Signing out, deleting the account, copying, downloading, the way of guests into the shop, suggestions: what only the browser itself can
   do, and what must not wait for the page's socket. Words come from the page. */
(() => {
  const { storeMessages: messages, storeToast: toast } = window;
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

  /* Referral links as they were shared before they had a page of their own. */
  const shared = new URLSearchParams(location.search).get("code");
  if (shared && location.pathname.startsWith("/account") && isGuest()) {
    location.replace(`/r/${encodeURIComponent(shared)}`);
  }

  const leaveForGood = async (flash) => {
    sessionStorage.clear(); // with what names this tab to the server, which keeps its state by that name
    localStorage.removeItem("recentlyViewed");
    if (window.caches) for (const name of await caches.keys()) await caches.delete(name);
    // For the next document: this one may still be waking up, and would show it and be gone.
    sessionStorage.setItem("flash", JSON.stringify({ kind: "success", from: performance.timeOrigin, ...flash }));
    location.assign("/");
  };

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
    await leaveForGood(messages.signedOut);
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
    await leaveForGood({ title: done });
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

  const download = (control) => location.assign(control.dataset.download);

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
      signInFor(link.getAttribute("href"));
    }
    /* Back to where the list was left, with its filters, page and scroll (see components/arrival.py). */
    const list = sessionStorage.getItem("list");
    const by = list === null ? 0 : Number(list) - (history.state?.idx ?? 0);
    if (by < 0 && isPlain && event.target.closest("a[data-back-to-list]")) {
      event.preventDefault();
      history.go(by);
    }
  }, true);

  /* What suggests while somebody types is fetched when they first put the cursor into a search box, and again after a
     failure. What they typed meanwhile is left for it. */
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
    signInFor(`/?search=${encodeURIComponent(new FormData(form).get("search").trim())}`);
  }, true);
})();
