/*
 * The driver's page (RULE drive-page). It works without a connection: each step is kept in IndexedDB first and sent
 * later, in order and perhaps twice, which the server allows (RULE driver-events). Texts and markup come from the page.
 */
(() => {
  const STEPS = ["arrived", "id_checked", "pin_entered", "cash_counted", "signed", "bag_placed"];
  const REFRESH_MS = 60_000, TIMEOUT_MS = 8_000, LONGEST_WAIT_MS = 60_000;
  const SIGNATURE_LENGTH = 3_900; // the server takes 4,000
  let root, texts, run, events = [], messages = {}; // as kept; `messages`: of refusals, by stop id
  let view = "loading", notice = "", denied = "", isReached = navigator.onLine;
  let currentId, isFailing = false, shown = "";
  let wantedOrder = /\border=(\d+)/.exec(location.search)?.[1]; // whose label was scanned

  /* What is kept on the phone. */

  const openDatabase = () => new Promise((resolve, reject) => {
    const request = indexedDB.open("drive", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("kept");
      request.result.createObjectStore("events", { keyPath: "key" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  /* Reads what is kept, and lets `change` alter it, with the store of events to write to, before any other tab does.
     Opens the database anew each time, so that no tab blocks another one that deletes it. */
  const withKept = async (change) => {
    const database = await openDatabase();
    try {
      await new Promise((resolve, reject) => {
        const transaction = database.transaction(["kept", "events"], change ? "readwrite" : "readonly");
        const [kept, stored] = ["kept", "events"].map((name) => transaction.objectStore(name));
        kept.get("run").onsuccess = ({ target: { result } }) => {
          ({ run, messages } = result ?? { messages: {} });
          stored.getAll().onsuccess = (got) => {
            events = got.target.result.sort((one, other) => one.seq - other.seq);
            change?.(stored);
            if (change) run ? kept.put({ run, messages }, "run") : kept.delete("run");
          };
        };
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
    } finally {
      database.close();
    }
    if (change) channel?.postMessage("changed");
  };

  /* While the driver signs out, answers that are still on their way bring nothing back. */
  let isLeaving = false;

  const keep = async (change) => {
    if (isLeaving) return;
    await withKept(change);
    await withKept();
  };

  const unsent = () => events.filter((event) => !event.isWaiting);

  const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  const ulid = () => {
    let time = Date.now(), head = "";
    for (let digit = 0; digit < 10; digit += 1, time = Math.floor(time / 32)) head = CROCKFORD[time % 32] + head;
    return head + [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => CROCKFORD[byte % 32]).join("");
  };

  /* A stop as it is with the events that the server has not taken yet. */
  const withEvents = (stop) => {
    const done = new Set(stop.done);
    let { outcome, failure } = stop, isChecking = false;
    for (const { stopId, kind, data } of events) {
      if (stopId !== stop.id || outcome === "cancelled") continue;
      if (kind === "id_checked" && !(data.ofAge && data.nameMatches && data.notExpired)) done.delete(kind);
      else done.add(kind);
      if (kind === "pin_entered" && data.offline === false) isChecking = true;
      if (kind === "bag_placed") outcome ??= "delivered";
      if (kind === "failed") [outcome, failure] = [outcome ?? "failed", failure ?? data.reason];
    }
    const needed = STEPS.filter((step) =>
      (step !== "pin_entered" || stop.needsPin) && (step !== "signed" || stop.needsSignature));
    return { ...stop, done, outcome, failure, isChecking, needed, step: needed.find((each) => !done.has(each)) };
  };

  const find = (id) => run.stops.find((stop) => stop.id === id);

  const record = async (kind, data = {}) => {
    const id = currentId;
    try {
      await keep((stored) => {
        const stop = run && find(id);
        const { step, outcome } = stop ? withEvents(stop) : {};
        if (!stop || outcome || (kind !== "failed" && kind !== step)) return; // another tab was first
        const taken = new Set(events.filter((event) => event.stopId === id).map((event) => event.seq));
        let seq = stop.nextSeq;
        while (taken.has(seq)) seq += 1;
        delete messages[id];
        stored.put({ key: ulid(), seq, stopId: id, kind, at: new Date().toISOString(), data });
      });
    } catch {
      notice = texts.notSaved;
    }
    isFailing = false;
    show();
    sync();
  };

  /* Sending. */

  class Refusal extends Error {}

  const ask = async (method, path, body) => {
    const answer = await fetch(path, {
      method,
      body: body && JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const content = answer.json();
    if (answer.ok) return content; // one that is cut off is no answer
    throw Object.assign(new Refusal((await content.catch(() => {}))?.message), { status: answer.status });
  };

  /* What the server made of an event. */
  const settle = (stored, { key, result, code, message }) => {
    const event = events.find((each) => each.key === key);
    const stop = event && run && find(event.stopId);
    if (!event) return;
    if (result === "waiting") {
      stored.put({ ...event, isWaiting: true, data: {} });
      return;
    }
    stored.delete(key);
    if (!stop) return;
    if (event.seq === stop.nextSeq) stop.nextSeq += 1;
    if (code === "do_not_hand_over") stop.outcome = "cancelled";
    else if (code) {
      messages[stop.id] ??= { kind: event.kind, text: message };
      stop.isLocked ||= code === "stop_locked";
    } else {
      if (event.kind === "bag_placed") stop.outcome = "delivered";
      if (event.kind === "failed") [stop.outcome, stop.failure] = ["failed", event.data.reason];
      stop.done = [...new Set([...stop.done, event.kind])];
      if (messages[stop.id]?.kind === event.kind) delete messages[stop.id];
    }
  };

  /* A stop that has left the run, or an event that the server cannot read, would block the others for ever. */
  const giveUp = (some, { status, message }) => keep((stored) => {
    for (const { key } of some) stored.delete(key);
    if (status === 404) notice = filled(texts.gone, { steps: stepsText(some.length) });
    else messages[some[0].stopId] = { kind: some[0].kind, text: message };
  });

  const sendStop = async (some) => {
    try {
      const answers = await ask("POST", "/api/driver/events", some);
      await keep((stored) => answers.forEach((answer) => settle(stored, answer)));
    } catch (error) {
      if (![400, 404, 422].includes(error.status)) throw error;
      if (error.status === 404 || some.length === 1) await giveUp(some, error);
      else for (const each of some) await sendStop([each]);
    }
  };

  const refresh = async () => {
    const found = await ask("GET", "/api/driver/run");
    view = found ? "run" : "none";
    await keep((stored) => {
      for (const { id, isLocked } of found?.stops ?? []) {
        if (run && find(id)?.isLocked && !isLocked) delete messages[id];
      }
      run = found ?? undefined;
      for (const event of events) {
        const stop = found?.stops.find((each) => each.id === event.stopId);
        if (event.isWaiting && (!stop || stop.outcome || stop.nextSeq > event.seq)) stored.delete(event.key);
      }
      if (!found) messages = {};
    });
    if (!found && !events.length) await wipe();
  };

  const wipe = () => new Promise((resolve) => {
    [run, events, messages] = [undefined, [], {}];
    const request = indexedDB.deleteDatabase("drive");
    request.onsuccess = request.onerror = request.onblocked = resolve;
  });

  const sendAll = async () => {
    await withKept();
    if (!run && events.length) await refresh(); // so that each refusal finds its stop
    for (let rest = unsent(); rest.length; rest = unsent()) {
      await sendStop(rest.filter((event) => event.stopId === rest[0].stopId).slice(0, 100));
    }
    await refresh();
  };

  const handleRefusal = async ({ status, message }) => {
    if (isLeaving) return true;
    if (status !== 401 && status !== 403) return false;
    // Whoever opens this phone next must not see where the customers live. Steps that are not sent are kept.
    await keep(() => { run = undefined; });
    [view, denied] = status === 401 ? ["guest", ""] : ["denied", message];
    if (status === 403 || !events.length) await wipe();
    part("sign-in").search = `return_to=/drive${encodeURIComponent(location.search)}`;
    if (view === "guest" && !events.length) part("sign-in").click();
    return true;
  };

  /* Tells the server that the PIN was not checked at the door, so that the driver can go on. */
  const goOnOffline = () => keep((stored) => {
    for (const event of unsent()) {
      if (event.kind === "pin_entered") stored.put({ ...event, data: { ...event.data, offline: true } });
    }
  });

  let isSyncing = false, isSyncWanted = false, wait = 1_000, timer;

  const again = (milliseconds) => {
    clearTimeout(timer);
    timer = setTimeout(() => (document.hidden && !unsent().length) || sync(), milliseconds);
  };

  const sync = async () => {
    if (isSyncing) {
      isSyncWanted = true;
      return;
    }
    [isSyncing, isSyncWanted] = [true, false];
    try {
      // One tab at a time; the server would not mind, but the answers would be taken twice.
      await (navigator.locks ? navigator.locks.request("drive", sendAll) : sendAll());
      [isReached, wait] = [true, 1_000];
      again(REFRESH_MS);
    } catch (error) {
      if (!(await handleRefusal(error).catch(() => false))) {
        isReached = false;
        await goOnOffline().catch(() => {});
        if (view === "loading" || view === "offline") view = run ? "run" : "offline";
        again(unsent().length ? wait : REFRESH_MS);
        wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      }
    }
    isSyncing = false;
    show();
    if (isSyncWanted) sync();
  };

  /* Showing. */

  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const fill = (name, text, within = root) => {
    for (const each of within.querySelectorAll(`[data-field="${name}"]`)) {
      if (each.textContent !== text) each.textContent = text;
    }
    for (const each of within.querySelectorAll(`[data-hide-if-empty="${name}"]`)) each.hidden = !text;
  };
  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_found, name) => values[name]);
  const stepsText = (count) => (count === 1 ? texts.oneStep : filled(texts.steps, { count }));
  const isNothing = (stop) => Number(stop.cash) === 0;

  const rowState = ({ id, outcome, isRecalled, isLocked, done }) => {
    if (isRecalled) return texts.rowRecalled;
    if (outcome) return { delivered: texts.rowDelivered, failed: texts.rowFailed }[outcome] ?? texts.rowCancelled;
    if (isLocked) return texts.rowLocked;
    if (messages[id]?.kind) return texts.rowRefused;
    return done.has("arrived") ? texts.rowHere : "";
  };

  /* As many rows as `values`, copied from the first, which stays hidden. */
  const listRows = (list, values, show) => {
    while (list.children.length > values.length + 1) list.lastElementChild.remove();
    while (list.children.length < values.length + 1) list.append(list.firstElementChild.cloneNode(true));
    values.forEach((value, index) => {
      list.children[index + 1].hidden = false;
      show(list.children[index + 1], value);
    });
  };

  const showList = (stops) => listRows(part("list"), stops, (row, stop) => {
    fill("position", String(stop.position), row);
    fill("rowName", stop.customerName, row);
    fill("rowPlace", stop.address, row);
    fill("rowState", rowState(stop), row);
    const button = row.querySelector("button");
    button.value = stop.id;
    button.ariaCurrent = stop.id === currentId ? "true" : null;
  });

  const showFacts = (stop, last) => {
    const { windowStart: from, windowEnd: to } = stop;
    const clock = new Intl.DateTimeFormat("en-US", { timeStyle: "short", timeZone: run.timeZone });
    const at = (moment) => clock.format(new Date(moment));
    const names = ["customerName", "address", "phone", "deliveryInstructions", "paymentInstructions"];
    for (const name of names) fill(name, stop[name]);
    fill("place", filled(texts.place, { position: stop.position, last, order: stop.orderNumber }));
    fill("window", from && to ? filled(texts.window, { from: at(from), to: at(to) }) : "");
    fill("cash", isNothing(stop) ? texts.nothingToCollect : `$${stop.cash}`);
    fill("bag", filled(texts.bag, { count: stop.items.reduce((sum, item) => sum + item.quantity, 0) }));
    listRows(part("items"), stop.items, (row, item) => { row.textContent = `${item.quantity} × ${item.name}`; });
    root.querySelector("a[href^=geo]").href = `geo:0,0?q=${encodeURIComponent(stop.address)}`;
    root.querySelector("a[href^=tel]").href = `tel:${stop.phone.replace(/[^+\d]/g, "")}`;
  };

  const endText = ({ outcome, failure, isRecalled }) => {
    if (isRecalled) return texts.recalled;
    if (outcome === "delivered") return texts.delivered;
    return outcome === "failed" ? filled(texts.failed, { reason: texts.failures[failure] }) : texts.cancelled;
  };

  const showSteps = (stop) => {
    const { isLocked } = stop;
    const text = messages[stop.id]?.text ?? "";
    part("ended").hidden = !stop.outcome;
    part("locked").hidden = Boolean(stop.outcome) || !isLocked;
    part("steps").hidden = Boolean(stop.outcome) || isLocked;
    fill("ended", stop.outcome ? endText(stop) : "");
    part("ended-note").className =
      `rounded-3 p-4 ${stop.outcome === "delivered" ? "bg-ok-wash text-ok" : "bg-bad-wash text-bad"}`;
    fill("progress", filled(texts.progress, { step: stop.needed.indexOf(stop.step) + 1, all: stop.needed.length }));
    part("message").hidden = !text;
    fill("message", text);
    part("progress").hidden = isFailing;
    part("checking").hidden = isFailing || !stop.isChecking;
    const step = isFailing ? "failed" : stop.isChecking ? "" : stop.step;
    for (const form of root.querySelectorAll("form")) form.hidden = form.dataset.step !== step;
    part("counted").hidden = isNothing(stop);
    part("change-as-credit").hidden = isNothing(stop) || !run.keepsChange;
    root.querySelector('[data-act="fail"]').hidden = isFailing;
    part("steps").ariaBusy = String(stop.isChecking);
    return stop.outcome ? "ended" : isLocked ? "locked" : step || "checking";
  };

  /* Only when another stop or step is shown, forms are emptied and the focus moves. */
  const moveOn = (now) => {
    const [before, at] = [shown, `${currentId} ${now}`];
    if (before === at) return;
    shown = at;
    for (const form of root.querySelectorAll("form")) form.reset();
    draw("");
    if (!before) return;
    const isSameStop = before.split(" ")[0] === String(currentId);
    const heading = isSameStop
      ? [...part("stop").querySelectorAll("h3, [data-part=checking]")].find((each) => each.checkVisibility())
      : part("name");
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: isSameStop ? "center" : "end" });
  };

  const showStatus = () => {
    const count = unsent().length;
    const saved = count ? filled(texts.saved, { steps: stepsText(count) }) : "";
    const line = isReached && navigator.onLine ? "" : texts.offline;
    fill("status", [line, saved].filter(Boolean).join(". ") || (view === "run" ? texts.sent : ""));
    part("status").toggleAttribute("data-waiting", Boolean(line || saved));
    root.querySelector('header [data-act="send"]').hidden = !count;
  };

  const show = () => {
    if (view === "run" && !run) view = "none";
    for (const each of root.querySelectorAll("[data-view]")) each.hidden = each.dataset.view !== view;
    const found = run?.stops.find((stop) => String(stop.orderNumber) === wantedOrder);
    if (found) return choose(found.id);
    fill("wanted", wantedOrder);
    fill("notice", notice);
    fill("denied", denied);
    showStatus();
    fill("run", "");
    if (view !== "run") return;
    const stops = run.stops.map(withEvents);
    const left = stops.filter((stop) => !stop.outcome);
    const leftText = filled(texts.left, { open: left.length, all: stops.length });
    fill("run", [run.vehicle, left.length ? leftText : texts.done].filter(Boolean).join(" · "));
    const current = stops.find((stop) => stop.id === currentId) ?? left[0] ?? stops[0];
    part("stop").hidden = !current;
    currentId = current?.id;
    showList(stops);
    root.querySelector('[data-act="next"]').hidden = !left.length;
    if (!current) return;
    /* Labels and sheets keep the numbers of the stops after one has been taken off. */
    showFacts(current, Math.max(...stops.map((stop) => stop.position)));
    moveOn(showSteps(current));
  };

  /* What the driver does. */

  const path = () => part("pad").querySelector("path");
  const draw = (line) => path().setAttribute("d", line);
  let lastPoint;
  const follow = (event) => {
    const box = part("pad").getBoundingClientRect();
    const [x, y] = [
      Math.round(((event.clientX - box.left) / box.width) * 300),
      Math.round(((event.clientY - box.top) / box.height) * 120),
    ];
    const line = path().getAttribute("d") ?? "";
    if (line.length > SIGNATURE_LENGTH) return;
    if (event.type === "pointerdown") draw(`${line}M${x} ${y}l0 0`);
    else if (lastPoint && Math.hypot(x - lastPoint[0], y - lastPoint[1]) > 2) {
      draw(`${line}l${x - lastPoint[0]} ${y - lastPoint[1]}`);
    } else return;
    lastPoint = [x, y];
  };

  const complain = async (text, kind) => {
    await keep(() => { messages[currentId] = { kind, text }; }).catch(() => {});
    show();
    part("message").scrollIntoView({ block: "nearest" });
  };

  const centsOf = (text) => {
    const found = /^\$?(\d{1,5})(?:[.,](\d{1,2}))?$/.exec(text.replace(/\s/g, ""));
    return found ? Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0")) : undefined;
  };
  const amount = (cents) => (cents / 100).toFixed(2);

  const reporters = {
    arrived: () => record("arrived"),
    id_checked: async (form) => {
      const answers = ["ofAge", "nameMatches", "notExpired"].map((name) => [name, form.get(name)]);
      if (answers.some(([, answer]) => !answer)) return complain(texts.answerAll);
      const isAccepted = answers.every(([, answer]) => answer === "yes");
      await record("id_checked", Object.fromEntries(answers.map(([name, answer]) => [name, answer === "yes"])));
      if (!isAccepted) {
        root.querySelector('[data-step="id_checked"]').reset();
        await complain(texts.idRefused, "id_checked");
      }
    },
    pin_entered: (form) => {
      const pin = form.get("pin").trim();
      if (!/^\d{4}$/.test(pin)) return complain(texts.pinExpected);
      root.querySelector("[name=pin]").value = "";
      record("pin_entered", { pin, offline: !isReached || !navigator.onLine });
    },
    cash_counted: (form) => {
      const due = Math.round(Number(find(currentId).cash) * 100);
      const counted = due ? centsOf(form.get("counted")) : 0;
      if (counted === undefined) return complain(texts.amountExpected);
      if (counted < due) return complain(filled(texts.cashShort, { missing: `$${amount(due - counted)}` }));
      const kept = counted > due && form.get("changeAsCredit") ? { keepChange: true } : {};
      record("cash_counted", { counted: amount(counted), ...kept });
    },
    signed: () => {
      const signature = path().getAttribute("d");
      signature ? record("signed", { signature }) : complain(texts.signatureMissing);
    },
    bag_placed: () => record("bag_placed"),
    failed: (form) => {
      const reason = form.get("reason");
      if (!reason) return complain(texts.reasonMissing);
      record("failed", { reason, note: form.get("note").replace(/\s+/g, " ").trim() });
    },
  };

  const turn = (toFailing) => async () => {
    isFailing = toFailing;
    await keep(() => { delete messages[currentId]; }).catch(() => {});
    show();
  };

  const signOut = async () => {
    const count = unsent().length;
    if (count && !confirm(filled(texts.leave, { steps: stepsText(count) }))) return;
    isLeaving = true;
    try {
      await ask("POST", "/api/auth/logout");
    } catch {
      isLeaving = false;
      notice = texts.signOutFailed;
      show();
      return;
    }
    await wipe();
    sessionStorage.clear();
    localStorage.removeItem("recentlyViewed");
    const toast = { kind: "success", from: performance.timeOrigin, ...texts.signedOut };
    sessionStorage.setItem("flash", JSON.stringify(toast));
    if (window.caches) for (const name of await caches.keys()) await caches.delete(name);
    localStorage.setItem("signedOut", String(Date.now()));
    location.assign("/");
  };

  const choose = (id) => {
    [currentId, isFailing, wantedOrder] = [id, false, ""];
    history.replaceState(null, "", "/drive");
    show();
  };

  const actions = {
    send: () => {
      wait = 1_000;
      sync();
    },
    fail: turn(true),
    back: turn(false),
    clear: () => draw(""),
    next: () => choose(),
    open: (button) => {
      choose(Number(button.value));
      part("name").focus({ preventScroll: true });
      scrollTo({ top: 0 });
    },
    "sign-out": signOut,
  };

  const channel = window.BroadcastChannel && new BroadcastChannel("drive");

  const listen = () => {
    root.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-act]");
      if (button) actions[button.dataset.act](button);
    });
    root.addEventListener("submit", (event) => {
      event.preventDefault();
      reporters[event.target.dataset.step](new FormData(event.target));
    });
    const pad = part("pad");
    pad.addEventListener("pointerdown", (event) => {
      pad.setPointerCapture(event.pointerId);
      follow(event);
    });
    pad.addEventListener("pointermove", (event) => event.buttons && follow(event));
    addEventListener("online", actions.send);
    addEventListener("offline", show);
    document.addEventListener("visibilitychange", () => document.hidden || actions.send());
    addEventListener("storage", async ({ key }) => {
      if (key !== "signedOut") return;
      isLeaving = true;
      await wipe();
      location.assign("/");
    });
    channel?.addEventListener("message", () => withKept().then(show));
  };

  const start = async () => {
    root = document.querySelector("[data-drive]");
    texts = JSON.parse(root.dataset.drive);
    listen();
    await withKept().catch(() => { notice = texts.notSaved; });
    // The server gets a moment to say first that this is somebody else's phone now.
    const first = sync();
    if (navigator.onLine) await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 1_500))]);
    if (view === "loading" && run) view = "run";
    show();
    try {
      await navigator.serviceWorker?.register("/sw.js", { updateViaCache: "none" });
      (await navigator.serviceWorker?.ready)?.active.postMessage("keep drive");
    } catch {
      // a browser that keeps nothing: the page works while there is a connection
    }
  };

  document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", start) : start();
})();
