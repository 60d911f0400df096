/** Milliseconds of hover or focus before a film plays, so that passing over it does not start it. */
const INTENT_MS = 250;

/** Audio that was started in the grid. */
export interface TileSound {
  readonly id: string;
  readonly playing: boolean;
  /** Seconds that have been played. */
  readonly at: number;
  /** How much of it has been played, 0 to 1. */
  readonly share: number;
}

export interface TilePlayerDeps {
  createAudio(): HTMLAudioElement;
  /** Whether the user prefers reduced motion: then no film plays automatically. */
  prefersStill(): boolean;
}

/** Plays media in the grid: one film at a time at the pointer or keyboard focus, and one sound that was started. */
export class TilePlayer {
  readonly #deps: TilePlayerDeps;
  readonly #listeners = new Set<() => void>();
  #target: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #film: string | null = null;
  #audio: HTMLAudioElement | null = null;
  #sound: TileSound | null = null;

  constructor(deps: TilePlayerDeps) {
    this.#deps = deps;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whether the film of this id plays. */
  plays(id: string): boolean {
    return this.#film === id;
  }

  /** Returns the sound of this id if it was started last; the same object while nothing changes. */
  getSound(id: string): TileSound | null {
    return this.#sound?.id === id ? this.#sound : null;
  }

  /** Plays the film at the pointer or the keyboard focus after a moment; null for none. The one before stops immediately. */
  look(id: string | null): void {
    if (id === this.#target) return;
    this.#target = id;
    clearTimeout(this.#timer);
    this.#show(null);
    if (id === null || this.#deps.prefersStill()) return;
    this.#timer = setTimeout(() => this.#show(id), INTENT_MS);
  }

  /** Plays a sound from its start, or pauses and resumes it if it was started last. */
  toggleSound(id: string, link: string): void {
    const audio = this.#ownAudio();
    if (this.#sound?.id !== id) {
      this.#sound = { id, playing: true, at: 0, share: 0 };
      audio.src = link;
    } else if (!audio.paused) return audio.pause();
    this.#reportChange();
    // Rejects if it cannot be played: then it stays paused, as the event `pause` or `error` reports.
    audio.play().catch(() => this.#hear());
  }

  /** Stops playback. */
  stop(): void {
    this.look(null);
    this.#sound = null;
    this.#audio?.pause();
    this.#reportChange();
  }

  #ownAudio(): HTMLAudioElement {
    if (this.#audio !== null) return this.#audio;
    const audio = this.#deps.createAudio();
    for (const event of ["play", "pause", "timeupdate", "ended", "error"])
      audio.addEventListener(event, () => this.#hear());
    this.#audio = audio;
    return audio;
  }

  #hear(): void {
    const [audio, sound] = [this.#audio, this.#sound];
    if (audio === null || sound === null) return;
    const { currentTime, duration, paused } = audio;
    const share = Number.isFinite(duration) && duration > 0 ? Math.min(1, currentTime / duration) : 0;
    this.#sound = { id: sound.id, playing: !paused, at: currentTime, share };
    this.#reportChange();
  }

  #show(id: string | null): void {
    if (this.#film === id) return;
    this.#film = id;
    this.#reportChange();
  }

  #reportChange(): void {
    for (const listener of this.#listeners) listener();
  }
}
