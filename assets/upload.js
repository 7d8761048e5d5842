/* Uploads with progress: pictures and documents of products, and products as CSV. The page sets the URL, the size
   limit and the messages: see components/controls/upload.py. */
(() => {
  if (window.storeUploads) return;
  window.storeUploads = true;
  const sending = new Map();
  /* Those whose table is being applied; the server writes it once it has all of it, and no longer notices an abort. */
  const applying = new WeakSet();
  const received = new WeakSet();
  const toast = window.storeToast;
  const part = (box, name) => box.querySelector(`[data-upload-${name}]`);
  const parsed = (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return {};
    }
  };
  const lastCompleteLine = (text) => parsed(text.slice(0, text.lastIndexOf("\n")).split("\n").pop());

  const MAX_ROWS = 100;
  const truncate = (text, max = 300) => {
    if (text.length <= max) return text;
    return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;  // half an emoji is no valid JSON
  };

  const showProgress = (box, text, percent) => {
    part(box, "progress").hidden = false;
    part(box, "text").textContent = text;
    part(box, "bar").value = percent;
  };
  const fail = (box, sentence) => toast("error", box.dataset.failed, sentence);

  const isWriting = (request) => applying.has(request) && received.has(request);

  const send = (box, file, { query = "", accept = "application/json", isApplied = false, onStep, onAnswer }) => {
    if (file.size > Number(box.dataset.maxBytes)) {
      fail(box, box.dataset.tooLarge);
      return;
    }
    const running = sending.get(box);
    if (isApplied && applying.has(running)) return;
    if (isWriting(running)) {
      fail(box, box.dataset.busy);
      return;
    }
    running?.abort();
    const request = new XMLHttpRequest();
    sending.set(box, request);
    if (isApplied) applying.add(request);
    request.open(box.dataset.method, box.dataset.upload + query);
    request.setRequestHeader("Accept", accept);
    request.upload.onprogress = (event) => {
      const percent = Math.floor((event.loaded / event.total) * 100);
      showProgress(box, percent < 100 ? `${file.name} ${percent}%` : box.dataset.working, percent);
    };
    request.upload.onload = () => {
      received.add(request);
      part(box, "cancel").hidden = isWriting(request);
    };
    request.onprogress = () => onStep?.(lastCompleteLine(request.responseText));
    request.onload = () => {
      const lines = request.responseText.trim().split("\n");
      const answer = parsed(lines[lines.length - 1]);
      const status = answer.status ?? request.status;
      if (status < 300 || answer.errors) onAnswer(answer);
      else fail(box, answer.message);
    };
    request.onerror = () => fail(box, box.dataset.offline);
    request.onloadend = () => {
      if (sending.get(box) !== request) return;
      sending.delete(box);
      part(box, "progress").hidden = true;
    };
    part(box, "cancel").hidden = false;
    showProgress(box, `${file.name} 0%`, 0);
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  };

  const sendFile = (box, file) => send(box, file, {
    onAnswer: () => {
      toast("success", box.dataset.done);
      part(box, "done").click();
    },
  });

  /* The tables whose check was answered, by number from 1. The button to apply one has the number of the table whose
     report is shown: the report of another may be on its way. */
  const checked = [];
  const sendTable = (box, file, isApplied) => send(box, file, {
    query: `?dryRun=${!isApplied}`,
    isApplied,
    accept: "application/x-ndjson",
    onStep: ({ done, of }) => {
      const percent = (done / of) * 100;
      if (of) showProgress(box, `${box.dataset.working} ${Math.round(percent)}%`, percent);
    },
    onAnswer: ({ created, updated, unchanged, changes, errors, warnings = [] }) => {
      if (!isApplied) checked.push(file);
      const form = part(box, "report");
      form.elements.report.value = JSON.stringify({
        isApplied, check: checked.length, file: truncate(file.name, 255),
        created, updated, unchanged, errorCount: errors.length,
        changes: changes.slice(0, MAX_ROWS).map((each) => (
          { ...each, before: truncate(each.before), after: truncate(each.after) }
        )),
        hasMoreChanges: changes.length > MAX_ROWS,
        errors: errors.slice(0, MAX_ROWS).map((each) => ({ ...each, message: truncate(each.message) })),
        warning: truncate(warnings[0]?.message ?? "", 400), warningCount: warnings.length,
      });
      form.requestSubmit();
    },
  });

  const begin = (box, file) => ("table" in box.dataset ? sendTable(box, file, false) : sendFile(box, file));
  const boxOf = (event) => event.target.closest?.("[data-upload]");

  document.addEventListener("change", (event) => {
    const box = event.target.type === "file" && boxOf(event);
    if (!box || !event.target.files.length) return;
    const [file] = event.target.files;
    begin(box, file);
    event.target.value = ""; // otherwise browsers say nothing when the same file, corrected, is chosen again
  });
  /* The user may have chosen a file before this script was loaded. */
  for (const input of document.querySelectorAll("[data-upload] input[type=file]")) {
    if (input.files.length) input.dispatchEvent(new Event("change", { bubbles: true }));
  }
  document.addEventListener("click", (event) => {
    const box = boxOf(event);
    if (!box) return;
    if (event.target.closest("[data-upload-cancel]")) sending.get(box)?.abort();
    const file = checked[event.target.closest("[data-upload-apply]")?.dataset.uploadApply - 1];
    if (file) sendTable(box, file, true);
  });
  document.addEventListener("dragover", (event) => boxOf(event) && event.preventDefault());
  document.addEventListener("drop", (event) => {
    const box = boxOf(event);
    if (!box || !event.dataTransfer.files.length) return;
    event.preventDefault();
    const input = box.querySelector("input[type=file]");
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
})();
