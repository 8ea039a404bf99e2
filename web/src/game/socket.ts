// The connection to the server: comes back by itself, says how it is, and sends again what was not answered.

import type { ClientMessage, ServerMessage } from "../messages.ts";

/** A message that acts once, however often it is sent. */
export type Asked = Extract<ClientMessage, { id: string }>;

interface Listener {
  /** What to say first on every connection. */
  greet(): ClientMessage;
  hear(message: ServerMessage): void;
  /** Connected, or not. */
  changed(isOpen: boolean): void;
}

const SILENCE_MS = 2_500;
const DEAD_MS = 9_000;
const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8_000;
/** After this long, what the server could not keep is sent again. */
const AGAIN_MS = 2_000;

export class Socket {
  readonly #listener: Listener;
  readonly #key: string;
  #socket: WebSocket | null = null;
  #waiting: Asked[];
  #lastHeard = 0;
  #failures = 0;
  #greeted = false;
  /** How long the server said that it will be away. */
  #away_ms: number | null = null;

  constructor(game: string, listener: Listener) {
    this.#listener = listener;
    this.#key = `hnefi.unsent.${game}`;
    this.#waiting = read(this.#key);
    this.#connect();
    setInterval(() => this.#watch(), SILENCE_MS / 2);
    addEventListener("online", () => this.#connect());
    addEventListener("offline", () => this.#giveUp());
    // A page that was hidden may have been asleep: what it holds may be dead long since.
    document.addEventListener("visibilitychange", () => document.hidden || this.#watch());
  }

  /** What has been asked and is not answered yet. */
  get waiting(): readonly Asked[] {
    return this.#waiting;
  }

  /** Sends until it is answered, over as many connections as that takes; the server acts on it once. */
  ask(message: Asked): void {
    this.#waiting.push(message);
    this.#keep();
    this.#send(message);
  }

  /** Sends now or never. */
  say(message: ClientMessage): void {
    this.#send(message);
  }

  #connect(): void {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.#socket = socket;
    this.#greeted = false;
    this.#away_ms = null;
    this.#lastHeard = performance.now();
    socket.addEventListener("open", () => socket.send(JSON.stringify(this.#listener.greet())));
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.#socket) this.#hear(JSON.parse(String(data)) as ServerMessage);
    });
    socket.addEventListener("close", () => this.#lost(socket));
  }

  #hear(message: ServerMessage): void {
    this.#lastHeard = performance.now();
    this.#failures = 0;
    if (message.type === "pong") return;
    if (message.type === "closing") this.#away_ms = message.retry_after_ms;
    if (message.type === "reject" && message.code === "not_saved" && message.id) {
      setTimeout(() => this.#sendAll(), AGAIN_MS);
      return;
    }
    if (message.type === "ack" || (message.type === "reject" && message.id)) {
      this.#waiting = this.#waiting.filter(({ id }) => id !== message.id);
      this.#keep();
    }
    if (!this.#greeted) {
      // The first answer shows that the server knows us again: what it has not answered comes after it.
      this.#greeted = true;
      this.#listener.changed(true);
      this.#sendAll();
    }
    this.#listener.hear(message);
  }

  #lost(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#listener.changed(false);
    const wait = this.#away_ms ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    // Not all at once: who was thrown out together comes back one after the other.
    setTimeout(() => this.#connect(), wait * (0.5 + Math.random()));
  }

  #giveUp(): void {
    const socket = this.#socket;
    if (!socket) return;
    socket.close();
    this.#lost(socket);
  }

  /** Asks after silence whether there is still somebody, and gives a dead connection up. */
  #watch(): void {
    const silent = performance.now() - this.#lastHeard;
    if (!this.#socket || silent < SILENCE_MS) return;
    if (silent > DEAD_MS) this.#giveUp();
    else if (this.#greeted) this.#send({ type: "ping", t: Math.round(performance.now()) });
  }

  #sendAll(): void {
    for (const unanswered of this.#waiting) this.#send(unanswered);
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #keep(): void {
    try {
      if (this.#waiting.length === 0) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, JSON.stringify(this.#waiting));
    } catch {
      // Then they last as long as the page.
    }
  }
}

function read(key: string): Asked[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "[]") as Asked[];
  } catch {
    return [];
  }
}
