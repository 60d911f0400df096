import { useEffect, useRef, useState } from "react";
import type { Sound } from "./sound.ts";

export interface Recorder {
  readonly state: "idle" | "asking" | "recording";
  /** Whole seconds that are recorded. */
  readonly seconds: number;
  /** Why the last recording did not start; null: it did. */
  readonly problem: "refused" | "missing" | null;
  start(): void;
  stop(): void;
}

/** Formats that browsers can write; the first supported one is used. */
const TYPES = ["audio/webm;codecs=opus", "audio/mp4", "audio/ogg;codecs=opus"] as const;

/** Records the microphone while the field is mounted; leaving it discards the recording. */
export function useRecorder(name: string, onSound: (sound: Sound) => void): Recorder {
  const [state, setState] = useState<Recorder["state"]>("idle");
  const [seconds, setSeconds] = useState(0);
  const [problem, setProblem] = useState<Recorder["problem"]>(null);
  const running = useRef<MediaRecorder | null>(null);
  const gone = useRef(false);

  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
      running.current?.stop();
    };
  }, []);

  useEffect(() => {
    if (state !== "recording") return undefined;
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, [state]);

  const record = async (): Promise<void> => {
    setState("asking");
    setProblem(null);
    const input = await microphone();
    if (typeof input === "string" || gone.current) {
      if (typeof input !== "string") release(input);
      else setProblem(input);
      setState("idle");
      return;
    }
    const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
    const recorder = new MediaRecorder(input, mimeType === undefined ? {} : { mimeType });
    const from = performance.now();
    const parts: Blob[] = [];
    recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
    recorder.addEventListener("stop", () => {
      release(input);
      running.current = null;
      if (gone.current) return;
      setState("idle");
      const file = new Blob(parts, { type: recorder.mimeType.split(";", 1)[0] ?? "" });
      const length = (performance.now() - from) / 1_000;
      if (file.size > 0) onSound({ id: crypto.randomUUID(), name, file, seconds: length });
    });
    recorder.start();
    running.current = recorder;
    setSeconds(0);
    setState("recording");
  };

  return { state, seconds, problem, start: () => void record(), stop: () => running.current?.stop() };
}

async function microphone(): Promise<MediaStream | NonNullable<Recorder["problem"]>> {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch (error) {
    return error instanceof DOMException && error.name === "NotFoundError" ? "missing" : "refused";
  }
}

function release(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
