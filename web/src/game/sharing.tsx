// Sharing and saving a game: links, the record, pictures, a frame for other pages, and one's own seat elsewhere.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { LinkMade } from "../messages.ts";
import { LANGUAGE, t } from "../texts.ts";
import { Qr } from "./qr.tsx";

interface Props {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly game: string;
  readonly name: string;
  readonly leg: number;
  readonly at: number;
  /** Whether one has a seat that could be taken along. */
  readonly hasSeat: boolean;
}

export function SharingDialog({ isOpen, close, game, name, leg, at, hasSeat }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  const place = `leg=${leg}&ply=${at}`;
  const picture = (kind: string, query: string) => `/api/games/${game}/picture.${kind}?${query}&lang=${LANGUAGE}`;
  const frame = `<iframe src="${location.origin}/embed/${game}?${place}" title="${name}" width="420" height="520" style="border:0"></iframe>`;
  return (
    <dialog ref={dialog} class="settings sharing" aria-labelledby="sharing-title" onClose={close}>
      <form method="dialog">
        <h2 id="sharing-title">{t("web.share")}</h2>
        <Copied label={t("web.share.watch")} text={`${location.origin}/game/${game}`} />
        <Copied label={t("web.share.ply")} text={`${location.origin}/game/${game}?${place}`} />
        <div class="saving">
          <h3 id="sharing-save">{t("web.share.save")}</h3>
          <div class="buttons" role="group" aria-labelledby="sharing-save">
            <Download href={`/api/games/${game}/record?leg=${leg}`}>{t("web.share.record")}</Download>
            <Download href={picture("svg", place)}>SVG</Download>
            <Download href={picture("png", place)}>PNG</Download>
            <Download href={picture("gif", `leg=${leg}`)}>{t("web.share.gif")}</Download>
          </div>
        </div>
        <Copied label={t("web.share.embed")} text={frame} />
        {hasSeat && <SeatLink game={game} />}
        <div class="buttons">
          <button type="submit" class="main">
            {t("web.close")}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function Download({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  return (
    <a class="button" href={href} download>
      {children}
    </a>
  );
}

/** A text that is there to be taken along. */
export function Copied({ label, text }: { readonly label: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const copy = () => {
    field.current?.select();
    // Without a secure page there is no clipboard: the text is selected, and a key copies it.
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div class="copied">
      <label>
        <span>{label}</span>
        <input ref={field} type="text" readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={copy} aria-label={`${t("web.copy")}: ${label}`}>
        {t(isCopied ? "web.invite.copied" : "web.copy")}
      </button>
    </div>
  );
}

/** The own seat on another device: a secret that works once, as a link and to be photographed. */
function SeatLink({ game }: { readonly game: string }) {
  const [link, setLink] = useState<string | null>(null);
  const [isRefused, setRefused] = useState(false);
  const make = async () => {
    const response = await fetch(`/api/games/${game}/links`, { method: "POST" }).catch(() => null);
    if (!response?.ok) return setRefused(true);
    const { secret } = (await response.json()) as LinkMade;
    setLink(`${location.origin}/seat#${secret}`);
  };
  return (
    <section class="seat-link">
      <h3>{t("web.seat")}</h3>
      <p>{t("web.seat.lead")}</p>
      {link ? (
        <>
          <Copied label={t("web.seat.link")} text={link} />
          <Qr text={link} />
        </>
      ) : (
        <button type="button" onClick={() => void make()}>
          {t("web.seat.make")}
        </button>
      )}
      {isRefused && (
        <p class="trouble" role="alert">
          {t("web.rejected")}
        </p>
      )}
    </section>
  );
}
