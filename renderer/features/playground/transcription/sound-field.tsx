import { AudioLines, Mic, Paperclip, Square, X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { formatBytes, formatDuration } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.tsx";
import { useGivenFiles } from "../pictures/use-given-files.ts";
import { SOUND_TYPES, pickSound, type Sound, type Unheard } from "./sound.ts";
import { useRecorder } from "./use-recorder.ts";

export interface SoundFieldProps {
  readonly label: string;
  readonly sound: Sound | null;
  readonly onChange: (sound: Sound | null) => void;
}

/** A sound from this machine, chosen, dropped on the page or pasted, or spoken now. */
export function SoundField({ label, sound, onChange }: SoundFieldProps): ReactNode {
  const t = useMessages();
  const input = useRef<HTMLInputElement>(null);
  const [unheard, setUnheard] = useState<Unheard | null>(null);
  const take = (next: Sound): void => {
    setUnheard(null);
    onChange(next);
  };
  const takeFiles = (files: readonly File[]): void => {
    const picked = pickSound(files);
    if (typeof picked === "string") setUnheard(picked);
    else take(picked);
  };
  const isDragging = useGivenFiles(takeFiles);
  const recorder = useRecorder(t.playground.recording, take);
  const recording = recorder.state === "recording";
  const problem =
    unheard !== null
      ? t.playground.unheard[unheard]
      : recorder.problem !== null
        ? t.playground.noMicrophone[recorder.problem]
        : null;
  return (
    <fieldset
      aria-label={label}
      className={`min-w-0 rounded-md ${isDragging ? "outline-2 outline-offset-4 outline-accent outline-dashed" : ""}`}
    >
      <p className="mb-1 font-medium">{label}</p>
      {sound !== null && !recording && (
        <p className="mb-2 flex min-w-0 items-center gap-2 rounded-md border border-line py-1 pr-1 pl-2.5">
          <AudioLines size={15} aria-hidden className="shrink-0 text-muted" />
          <span className="min-w-0 grow truncate" title={sound.name}>
            {sound.name}
          </span>
          <span className="numeric shrink-0 text-meta text-muted">
            {sound.seconds !== null && `${formatDuration(sound.seconds * 1_000)} · `}
            {formatBytes(sound.file.size)}
          </span>
          <Button
            look="quiet"
            aria-label={t.playground.removeSound(sound.name)}
            onClick={() => onChange(null)}
            className="w-7 px-0!"
          >
            <X size={13} aria-hidden />
          </Button>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <input
          ref={input}
          type="file"
          accept={SOUND_TYPES}
          aria-label={t.playground.fileFor(label)}
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            takeFiles([...(event.target.files ?? [])]);
            // Permits choosing the same file again.
            event.target.value = "";
          }}
        />
        <Button icon={<Paperclip size={14} aria-hidden />} disabled={recording} onClick={() => input.current?.click()}>
          {t.playground.fromFile}
        </Button>
        {recording ? (
          <Button icon={<Square size={12} aria-hidden />} onClick={recorder.stop}>
            {t.playground.stopRecording(formatDuration(recorder.seconds * 1_000))}
          </Button>
        ) : (
          <Button icon={<Mic size={14} aria-hidden />} busy={recorder.state === "asking"} onClick={recorder.start}>
            {t.playground.record}
          </Button>
        )}
      </div>
      <p className={`mt-1 text-meta ${!isDragging && problem !== null ? "text-danger-text" : "text-faint"}`}>
        {isDragging ? t.playground.dropSound : (problem ?? t.playground.soundHelp)}
      </p>
    </fieldset>
  );
}
