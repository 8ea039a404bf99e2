// The connection to the server: comes back by itself, says how it is, and sends again what was not answered.

import type { ClientMessage, ServerMessage } from "../messages.ts";

type Asked = Extract<ClientMessage, { id: string }>;

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

export class Socket {
  readonly #listener: Listener;
  readonly #key: string;
  #socket: WebSocket | null = null;
  #waiting: Asked[];
  #lastHeard = 0;
  #failures = 0;
  #greeted = false;

  constructor(game: string, listener: Listener) {
    this.#listener = listener;
    this.#key = `hnefi.unsent.${game}`;
    this.#waiting = read(this.#key);
    this.#connect();
    setInterval(() => this.#watch(), SILENCE_MS / 2);
    addEventListener("online", () => this.#connect());
  }

  /** Whether something has been sent that is not answered yet. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
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
    this.#lastHeard = performance.now();
    socket.addEventListener("open", () => socket.send(JSON.stringify(this.#listener.greet())));
    socket.addEventListener("message", ({ data }) => this.#hear(JSON.parse(String(data)) as ServerMessage));
    socket.addEventListener("close", () => this.#lost(socket));
  }

  #hear(message: ServerMessage): void {
    this.#lastHeard = performance.now();
    this.#failures = 0;
    if (message.type === "pong") return;
    if (message.type === "ack" || (message.type === "reject" && message.id)) {
      this.#waiting = this.#waiting.filter(({ id }) => id !== message.id);
      this.#keep();
    }
    if (!this.#greeted) {
      // The first answer shows that the server knows us again: what it has not answered comes after it.
      this.#greeted = true;
      this.#listener.changed(true);
      for (const unanswered of this.#waiting) this.#send(unanswered);
    }
    this.#listener.hear(message);
  }

  #lost(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#listener.changed(false);
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    setTimeout(() => this.#connect(), wait * (0.5 + Math.random()));
  }

  /** Asks after silence whether there is still somebody, and gives a dead connection up. */
  #watch(): void {
    const silent = performance.now() - this.#lastHeard;
    const socket = this.#socket;
    if (!socket || silent < SILENCE_MS) return;
    if (silent > DEAD_MS) {
      socket.close();
      this.#lost(socket);
    } else if (this.#greeted) this.#send({ type: "ping", t: Math.round(performance.now()) });
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #keep(): void {
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(this.#waiting));
    } catch {
      // Then they last as long as the page.
    }
  }
}

function read(key: string): Asked[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]") as Asked[];
  } catch {
    return [];
  }
}
