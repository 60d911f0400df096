import { Pause, Play } from "lucide-react";
import { useSyncExternalStore, type ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { formatLength } from "../../lib/format.ts";
import type { TilePlayer } from "./tile-player.ts";

export interface SoundButtonProps {
  readonly view: MediaView;
  readonly player: TilePlayer;
}

/**
 * Play button of an audio tile, for mouse and touch. A tile is a list option, which must not contain controls: keyboard
 * users press `a`, screen reader users open the result.
 */
export function SoundButton({ view, player }: SoundButtonProps): ReactNode {
  const sound = useSyncExternalStore(player.subscribe, () => player.getSound(view.id));
  const Icon = sound?.playing === true ? Pause : Play;
  return (
    <span aria-hidden className="flex size-full flex-col items-center justify-center gap-3 px-5">
      <span
        data-play
        className="flex size-10 items-center justify-center rounded-full border border-line-strong bg-raised text-text transition-colors hover:bg-pressed"
      >
        <Icon size={16} className={sound?.playing === true ? "" : "ml-0.5"} />
      </span>
      <span className="flex w-full items-center gap-2">
        <span className="h-0.5 grow overflow-hidden rounded-full bg-line-strong">
          <span
            className="block h-full origin-left bg-accent forced-colors:bg-[Highlight]"
            style={{ transform: `scaleX(${sound?.share ?? 0})` }}
          />
        </span>
        <span className="numeric text-meta text-muted">
          {sound === null || sound.at === 0
            ? view.duration_ms !== null && formatLength(view.duration_ms)
            : formatLength(sound.at * 1_000)}
        </span>
      </span>
    </span>
  );
}
