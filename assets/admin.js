/* New orders, told outside the page: the tab's title counts them; a sound and a notification of the system only where
   somebody wants them, in this browser (`components/admin/new_orders.py`). */
(() => {
  if (window.storeDesk) return;
  window.storeDesk = true;
  const KINDS = ["sound", "notification"];
  const key = (kind) => `desk-new-order-${kind}`;
  const wants = (kind) => localStorage.getItem(key(kind)) === "on";
  const SEEN = "desk-order-seen";
  const TOLD = "desk-order-told";
  /* Numbers of orders, null until one is known. What was seen belongs to this tab and survives a reload. */
  let seen = null;
  let known = null;
  let audio = null;

  const board = () => document.querySelector("[data-last-order]");

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

  /* Several tabs of the desk in one browser tell of an order once. */
  const tellOnce = (number) => {
    if (Number(localStorage.getItem(TOLD)) >= number) return;
    localStorage.setItem(TOLD, number);
    if (wants("sound")) beep();
    if (wants("notification") && window.Notification?.permission === "granted") {
      new Notification(`New order ${number}`, { tag: "new-order" });
    }
  };
  const tell = (number) =>
    navigator.locks ? navigator.locks.request(TOLD, () => tellOnce(number)) : tellOnce(number);

  const see = (number) => {
    if (seen === number) return;
    seen = number;
    sessionStorage.setItem(SEEN, number);
  };

  const begin = (last) => {
    known = last;
    const kept = sessionStorage.getItem(SEEN);
    seen = kept === null ? null : Number(kept);
    if (seen === null || seen > last) see(last);
    /* A database that was restored counts from an earlier number again. */
    if (Number(localStorage.getItem(TOLD)) > last) localStorage.setItem(TOLD, last);
  };

  const count = () => {
    const last = Number(board()?.dataset.lastOrder ?? -1);
    if (last >= 0 && known === null) begin(last);
    if (known !== null && last > known) {
      known = last;
      tell(last);
    }
    const isSeen = document.visibilityState === "visible" && board()?.dataset.ordersShown === "yes";
    if (isSeen && known !== null) see(known);
    const bare = document.title.replace(/^\(\d+\) /, "");
    const title = board() && known > seen ? `(${known - seen}) ${bare}` : bare;
    if (document.title !== title) document.title = title;
    for (const kind of KINDS) {
      const box = document.querySelector(`[data-new-order="${kind}"]`);
      if (box && box.checked !== wants(kind)) box.checked = wants(kind);
    }
  };

  document.addEventListener("change", async (event) => {
    const kind = event.target.dataset?.newOrder;
    if (!KINDS.includes(kind)) return;
    let isOn = event.target.checked;
    if (isOn && kind === "notification") isOn = (await window.Notification?.requestPermission()) === "granted";
    localStorage.setItem(key(kind), isOn ? "on" : "off");
    if (isOn && kind === "sound") beep();
    document.querySelector("[data-new-order-refused]")?.toggleAttribute("hidden", isOn || kind !== "notification" || !event.target.checked);
    count();
  });
  document.addEventListener("visibilitychange", count);
  new MutationObserver(count).observe(document.documentElement, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["data-last-order", "data-orders-shown"],
  });
  count();
})();
