import { FileX2, Maximize2, Minimize2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { Button } from "../ui/button.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { captionOf } from "./media-caption.ts";
import { ownLink } from "./media-links.ts";
import { useBroken } from "./use-broken.ts";

/** The result itself: a picture, or a player. */
export function MediaViewer({ view }: { readonly view: MediaView }): ReactNode {
  const t = useMessages();
  const source = view.available ? ownLink(view.link) : null;
  const { because, fail } = useBroken(source);
  if (source === null || because !== null) {
    const unplayable = because === "gateway" ? t.app.unreachable : t.library.unplayable;
    return (
      <Frame>
        <span className="flex flex-col items-center gap-2 px-6 text-center text-muted">
          <FileX2 size={24} aria-hidden />
          <span className="font-medium text-text">{source === null ? t.library.missing : unplayable}</span>
          {source === null && <span className="max-w-90">{t.library.missingHelp}</span>}
        </span>
      </Frame>
    );
  }
  if (view.kind === "image") return <Picture view={view} source={source} onError={fail} />;
  const player = { src: source, controls: true, preload: "metadata", onError: fail, "aria-label": t.library.player };
  return (
    <Frame>
      {view.kind === "video" ? (
        // A provider's video comes without captions: there is nothing that a track could hold.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <video
          {...player}
          playsInline
          poster={ownLink(view.poster) ?? undefined}
          className="max-h-full max-w-full min-w-[min(100%,20rem)]"
        />
      ) : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio {...player} className="w-full max-w-120 px-4" />
      )}
    </Frame>
  );
}

function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="flex h-full min-h-60 items-center justify-center overflow-hidden rounded-md bg-pressed forced-colors:border">
      {children}
    </div>
  );
}

/** Fits at first; in its real size it scrolls within its frame. */
function Picture(props: {
  readonly view: MediaView;
  readonly source: string;
  readonly onError: () => void;
}): ReactNode {
  const t = useMessages();
  const [real, setReal] = useState(false);
  const Icon = real ? Minimize2 : Maximize2;
  return (
    <div className="relative h-full min-h-60">
      {/* No region: several pictures may stand on one page. */}
      <figure
        aria-label={t.library.picture}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be scrolled by keys too.
        tabIndex={real ? 0 : undefined}
        className={`absolute inset-0 rounded-md bg-pressed forced-colors:border ${real ? "overflow-auto" : "flex items-center justify-center overflow-hidden"}`}
      >
        <img
          src={props.source}
          alt={captionOf(props.view, t).slice(0, 300)}
          decoding="async"
          onError={props.onError}
          className={real ? "max-w-none" : "max-h-full max-w-full object-contain"}
        />
      </figure>
      <Button
        aria-pressed={real}
        icon={<Icon size={14} aria-hidden />}
        onClick={() => setReal(!real)}
        className="absolute! right-2 bottom-2"
      >
        {real ? t.library.fit : t.library.realSize}
      </Button>
    </div>
  );
}
