import { Pause, Play } from "lucide-react";
import { useEffect, useEffectEvent, useState, type ReactNode, type RefObject } from "react";
import { IconButton } from "../../components/ui/button.tsx";
import { formatLength } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";

/** Step of the slider, seconds. */
const STEP = 0.01;

interface Playing {
  readonly plays: boolean;
  /** Seconds. */
  readonly at: number;
  readonly length: number;
}

/**
 * Plays all videos in an element synchronously, until the longest ends.
 * @param films element whose videos are collected on first render
 */
export function FilmControls({ films }: { readonly films: RefObject<HTMLElement | null> }): ReactNode {
  const t = useMessages();
  const [{ plays, at, length }, setPlaying] = useState<Playing>({ plays: false, at: 0, length: 0 });
  const all = (): HTMLVideoElement[] => [...(films.current?.querySelectorAll("video") ?? [])];
  const look = useEffectEvent(() => {
    const videos = all();
    const lengths = videos.map(({ duration }) => (Number.isFinite(duration) ? duration : 0));
    setPlaying({
      plays: videos.some(({ paused, ended }) => !paused && !ended),
      at: Math.max(0, ...videos.map(({ currentTime }) => currentTime)),
      length: Math.max(0, ...lengths),
    });
  });
  useEffect(() => {
    const element = films.current;
    const events = ["play", "pause", "ended", "timeupdate", "durationchange", "loadedmetadata"];
    const listener = (): void => look();
    // Media events do not bubble.
    for (const event of events) element?.addEventListener(event, listener, true);
    return () => {
      for (const event of events) element?.removeEventListener(event, listener, true);
    };
  }, [films]);

  const seek = (to: number): void => {
    // Set immediately: a slider that springs back while the films seek would cause another seek.
    setPlaying((before) => ({ ...before, at: to }));
    for (const video of all()) video.currentTime = Math.min(to, Number.isFinite(video.duration) ? video.duration : to);
  };
  const toggle = (): void => {
    if (plays) return all().forEach((video) => video.pause());
    seek(at >= length ? 0 : at);
    for (const video of all()) if (!video.ended) void video.play().catch(() => undefined);
  };
  return (
    <>
      <IconButton look="plain" label={plays ? t.library.pause : t.library.play} onClick={toggle}>
        {plays ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
      </IconButton>
      <input
        type="range"
        aria-label={t.library.position}
        min={0}
        max={length}
        step={STEP}
        value={Math.round(at / STEP) * STEP}
        onChange={(event) => seek(Number(event.target.value))}
        className="h-7 w-40 min-w-24 accent-accent max-wide:grow"
      />
      <span className="numeric text-meta text-muted">
        {formatLength(at * 1_000)} / {formatLength(length * 1_000)}
      </span>
    </>
  );
}
