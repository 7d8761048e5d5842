/* Announces new orders outside the page: the tab's title counts them; a sound and a system notification are options
   of this browser, off by default (`components/admin/orders/new_orders.py`). */
(() => {
  if (window.storeAdmin) return;
  window.storeAdmin = true;
  const KINDS = ["sound", "notification"];
  const key = (kind) => `admin-new-order-${kind}`;
  const isWanted = (kind) => localStorage.getItem(key(kind)) === "on";
  const SEEN = "admin-order-seen";
  const ANNOUNCED = "admin-order-announced";
  /* Order numbers, null until known. `seen` is the last one that this tab has shown; session storage keeps it over a
     reload. `known` is the last one that the server has told this tab. */
  let seen = null;
  let known = null;
  let audio = null;

  const statusElement = () => document.querySelector("[data-last-order]");

  const beep = () => {
    audio ??= new AudioContext();
    audio.resume();
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = 880;
    volume.gain.setValueAtTime(0.15, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.4);
  };

  /* On Android the constructor throws: there only a service worker may show notifications. */
  const notify = async (title) => {
    const options = { tag: "new-order" };
    try {
      new Notification(title, options);
    } catch {
      const registration = await navigator.serviceWorker?.ready;
      await registration?.showNotification(title, options);
    }
  };

  /* One tab announces an order, however many admin tabs this browser has open. */
  const announceOnce = (number) => {
    if (Number(localStorage.getItem(ANNOUNCED)) >= number) return;
    localStorage.setItem(ANNOUNCED, number);
    if (isWanted("sound")) beep();
    if (isWanted("notification") && window.Notification?.permission === "granted") {
      notify(`New order ${number}`).catch(() => {});
    }
  };
  const announce = (number) =>
    navigator.locks ? navigator.locks.request(ANNOUNCED, () => announceOnce(number)) : announceOnce(number);

  const markSeen = (number) => {
    if (seen === number) return;
    seen = number;
    sessionStorage.setItem(SEEN, number);
  };

  const initialize = (last) => {
    known = last;
    const stored = sessionStorage.getItem(SEEN);
    seen = stored === null ? null : Number(stored);
    if (seen === null || seen > last) markSeen(last);
    /* After the database was restored from a backup, numbers start lower again. */
    if (Number(localStorage.getItem(ANNOUNCED)) > last) localStorage.setItem(ANNOUNCED, last);
  };

  const update = () => {
    const last = Number(statusElement()?.dataset.lastOrder ?? -1);
    if (last >= 0 && known === null) initialize(last);
    if (known !== null && last > known) {
      known = last;
      announce(last);
    }
    const isSeen = document.visibilityState === "visible" && statusElement()?.dataset.ordersShown === "yes";
    if (isSeen && known !== null) markSeen(known);
    const plain = document.title.replace(/^\(\d+\) /, "");
    const title = statusElement() && known > seen ? `(${known - seen}) ${plain}` : plain;
    if (document.title !== title) document.title = title;
    for (const kind of KINDS) {
      const box = document.querySelector(`[data-new-order="${kind}"]`);
      if (box && box.checked !== isWanted(kind)) box.checked = isWanted(kind);
    }
  };

  document.addEventListener("change", async (event) => {
    const kind = event.target.dataset?.newOrder;
    if (!KINDS.includes(kind)) return;
    const isChosen = event.target.checked;
    let isOn = isChosen;
    if (isOn && kind === "notification") isOn = (await window.Notification?.requestPermission()) === "granted";
    localStorage.setItem(key(kind), isOn ? "on" : "off");
    if (isOn && kind === "sound") beep();
    const isRefused = isChosen && !isOn;
    document.querySelector("[data-new-order-refused]")?.toggleAttribute("hidden", !isRefused);
    update();
  });
  document.addEventListener("visibilitychange", update);
  new MutationObserver(update).observe(document.documentElement, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["data-last-order", "data-orders-shown"],
  });
  update();
})();
