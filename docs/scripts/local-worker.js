// The search of the site where its pages are opened from a folder: a browser starts no worker from a file, so what
// would run in the worker runs in a hidden frame.
if (location.protocol === "file:") {
  const send = (target, data) => {
    const copy = structuredClone(data);
    setTimeout(() => target.dispatchEvent(new MessageEvent("message", { data: copy })));
  };

  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #waiting = [];
    onmessage = null;

    constructor(url) {
      super();
      this.addEventListener("message", (event) => this.onmessage?.(event));
      this.#frame.hidden = true;
      document.documentElement.append(this.#frame);
      const inside = this.#frame.contentWindow;
      inside.postMessage = (data) => send(this, data);
      const script = inside.document.createElement("script");
      script.src = url;
      script.onload = () => {
        for (const data of this.#waiting) send(inside, data);
        this.#waiting = null;
      };
      inside.document.documentElement.append(script);
    }

    postMessage(data) {
      if (this.#waiting) this.#waiting.push(data);
      else send(this.#frame.contentWindow, data);
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
