// The dialog to share and save a game: links, record, pictures, HTML to embed, and the user's seat for another device.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { failureText, postJson } from "../http.ts";
import type { LinkCreated } from "../messages.ts";
import { LANGUAGE, t } from "../texts.ts";
import { CopyField } from "../ui/copy_field.tsx";
import { Qr } from "../ui/qr.tsx";
import { Dialog, Saving } from "./dialog.tsx";

interface Props {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly game: string;
  /** The name of the game; players may have named its rules. */
  readonly title: string;
  readonly leg: number;
  readonly at: number;
  /** Whether the user has a seat that can be moved to another device. */
  readonly hasSeat: boolean;
}

export function ShareDialog({ isOpen, close, game, title, leg, at, hasSeat }: Props) {
  const place = `leg=${leg}&ply=${at}`;
  const picture = (kind: string, query: string) => `/api/games/${game}/picture.${kind}?${query}&lang=${LANGUAGE}`;
  const frame = `<iframe src="${location.origin}/embed/${game}?${place}" title="${escaped(title)}" width="420" height="520" style="border:0"></iframe>`;
  return (
    <Dialog isOpen={isOpen} close={close} kind="sharing" title={t("web.share")}>
      <CopyField label={t("web.share.watch")} text={`${location.origin}/game/${game}`} />
      <CopyField label={t("web.share.ply")} text={`${location.origin}/game/${game}?${place}`} />
      <Saving>
        <Download href={`/api/games/${game}/record?leg=${leg}`}>{t("web.share.record")}</Download>
        <Download href={picture("svg", place)}>SVG</Download>
        <Download href={picture("png", place)}>PNG</Download>
        <Download href={picture("gif", `leg=${leg}`)}>{t("web.share.gif")}</Download>
      </Saving>
      <CopyField label={t("web.share.embed")} text={frame} />
      {hasSeat && <SeatLink game={game} />}
    </Dialog>
  );
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
}

function Download({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  return (
    <a class="button" href={href} download>
      {children}
    </a>
  );
}

/** Makes a link that moves the user's seat to another device: a secret that works once. */
function SeatLink({ game }: { readonly game: string }) {
  const [link, setLink] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const make = async () => {
    try {
      const { secret } = await postJson<LinkCreated>(`/api/games/${game}/links`);
      setLink(`${location.origin}/seat#${secret}`);
    } catch (error) {
      setFailure(failureText(error));
    }
  };
  return (
    <section class="seat-link">
      <h3>{t("web.seat")}</h3>
      <p>{t("web.seat.lead")}</p>
      {link ? (
        <>
          <CopyField label={t("web.seat.link")} text={link} />
          <Qr text={link} />
        </>
      ) : (
        <button type="button" onClick={() => void make()}>
          {t("web.seat.make")}
        </button>
      )}
      {failure && (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
    </section>
  );
}
