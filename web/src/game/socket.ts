// The WebSocket of a game: reconnects by itself, and sends again what was not acknowledged.

import type { ClientMessage, ServerMessage } from "../messages.ts";
import { store, stored, storeText } from "../storage.ts";

/** A message that the server handles once, however often it is sent. */
type Request = Extract<ClientMessage, { id: string }>;

/** Whether there is a connection, and whether the server can store what comes over it. */
export type Connection = "open" | "lost" | "failing";

interface Listener {
  /** Returns the first message of every connection. */
  greeting(): ClientMessage;
  onMessage(message: ServerMessage): void;
  onConnection(connection: Connection): void;
}

/** After this silence the connection is tested, after the longer one it is given up. */
const SILENCE_MS = 2_500;
const DEAD_MS = 9_000;
const FIRST_RECONNECT_MS = 300;
const LAST_RECONNECT_MS = 8_000;
/** After this time requests that the server could not store are sent again. */
const RETRY_MS = 2_000;

export class Socket {
  readonly #game: string;
  readonly #listener: Listener;
  readonly #key: string;
  #socket: WebSocket | null = null;
  #unanswered: Request[];
  /** When the last message came, by `performance.now()`. */
  #lastMessageAt = 0;
  #failures = 0;
  #isGreeted = false;
  /** Whether the last connection was given up because nothing came over it. */
  #wasSilent = false;
  /** The announced duration of the restart. */
  #away_ms: number | null = null;

  constructor(game: string, listener: Listener) {
    this.#game = game;
    this.#listener = listener;
    this.#key = `hnefi.unsent.${game}`;
    this.#unanswered = [...stored<Request[]>(this.#key, [])];
    this.#connect();
    setInterval(() => this.#checkConnection(), SILENCE_MS / 2);
    addEventListener("online", () => this.#connect());
    addEventListener("offline", () => this.#disconnect());
    // The connection of a hidden page may have died while the device slept.
    document.addEventListener("visibilitychange", () => document.hidden || this.#checkConnection());
  }

  /** The requests that the server has not answered yet. */
  get unanswered(): readonly Request[] {
    return this.#unanswered;
  }

  /** Sends a request until it is answered, over as many connections as that takes. */
  request(message: Request): void {
    this.#unanswered.push(message);
    this.#storeUnanswered();
    this.send(message);
  }

  /** Sends a message, or drops it if there is no connection. */
  send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #connect(): void {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    // The game in the address lets a proxy bring both players to the same process.
    // After a process that has hung, the proxy tries any.
    const place = `${location.host}/ws?game=${this.#game}${this.#wasSilent ? "&again" : ""}`;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${place}`);
    this.#socket = socket;
    this.#isGreeted = false;
    this.#away_ms = null;
    this.#lastMessageAt = performance.now();
    socket.addEventListener("open", () => socket.send(JSON.stringify(this.#listener.greeting())));
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.#socket) this.#receive(JSON.parse(String(data)) as ServerMessage);
    });
    socket.addEventListener("close", () => this.#lose(socket));
  }

  #receive(message: ServerMessage): void {
    this.#lastMessageAt = performance.now();
    this.#failures = 0;
    this.#wasSilent = false;
    if (message.type === "pong") return;
    if (message.type === "closing") this.#away_ms = message.retry_after_ms;
    if (message.type === "reject" && message.code === "not_saved" && message.id) {
      this.#listener.onConnection("failing");
      setTimeout(() => this.#sendUnanswered(), RETRY_MS);
      return;
    }
    if (message.type === "ack" || (message.type === "reject" && message.id)) {
      this.#unanswered = this.#unanswered.filter(({ id }) => id !== message.id);
      this.#storeUnanswered();
      this.#listener.onConnection("open");
    }
    if (!this.#isGreeted) {
      // The first message answers the greeting: the server has identified this browser, and takes requests.
      this.#isGreeted = true;
      this.#listener.onConnection("open");
      this.#sendUnanswered();
    }
    this.#listener.onMessage(message);
  }

  #lose(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#listener.onConnection("lost");
    const wait_ms = this.#away_ms ?? Math.min(LAST_RECONNECT_MS, FIRST_RECONNECT_MS * 2 ** this.#failures);
    this.#failures += 1;
    // Jitter: after a restart of the server not all clients reconnect at once.
    setTimeout(() => this.#connect(), wait_ms * (0.5 + Math.random()));
  }

  #disconnect(): void {
    const socket = this.#socket;
    if (!socket) return;
    socket.close();
    this.#lose(socket);
  }

  /** Pings after a silence, and gives up a connection that stays silent. */
  #checkConnection(): void {
    const silence_ms = performance.now() - this.#lastMessageAt;
    if (!this.#socket || silence_ms < SILENCE_MS) return;
    if (silence_ms > DEAD_MS) {
      this.#wasSilent = true;
      this.#disconnect();
    } else if (this.#isGreeted) this.send({ type: "ping", t: Math.round(performance.now()) });
  }

  #sendUnanswered(): void {
    for (const message of this.#unanswered) this.send(message);
  }

  #storeUnanswered(): void {
    if (this.#unanswered.length === 0) storeText(this.#key, null);
    else store(this.#key, this.#unanswered);
  }
}
