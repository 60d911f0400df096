import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { ownLink } from "../../components/media/media-links.ts";
import type { TilePlayer } from "./tile-player.ts";

export interface HoverFilmProps {
  readonly view: MediaView;
  readonly player: TilePlayer;
}

/** The film over its still, without sound, while the pointer or the keyboard is on its tile. */
export function HoverFilm({ view, player }: HoverFilmProps): ReactNode {
  const plays = useSyncExternalStore(player.subscribe, () => player.plays(view.id));
  const source = view.available ? ownLink(view.link) : null;
  return plays && source !== null && <Film key={view.id} source={source} />;
}

function Film({ source }: { readonly source: string }): ReactNode {
  const element = useRef<HTMLVideoElement>(null);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const video = element.current;
    return () => {
      // Releases the decoder and the connection immediately.
      video?.removeAttribute("src");
      video?.load();
    };
  }, []);
  return (
    <video
      ref={element}
      src={source}
      muted
      autoPlay
      loop
      playsInline
      disablePictureInPicture
      aria-hidden
      tabIndex={-1}
      onPlaying={() => setShown(true)}
      // The preview image stays visible until the video has a frame, or permanently if it has none.
      className={`absolute inset-0 size-full object-contain transition-opacity duration-150 ${shown ? "" : "opacity-0"}`}
    />
  );
}
