import { Images, Paperclip, X } from "lucide-react";
import { useRef, useState } from "react";
import type { ReactNode } from "react";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { pictureFromLibrary } from "./from-library.ts";
import { LibraryPicker } from "./library-picker.tsx";
import { PictureCanvas } from "./picture-canvas.tsx";
import { PICTURE_TYPES, readPicture, PictureError } from "./picture.ts";
import type { Picture } from "./picture.ts";
import { useGivenFiles } from "./use-given-files.ts";

export interface PictureFieldProps {
  readonly label: string;
  readonly pictures: readonly Picture[];
  readonly most: number;
  readonly help?: string;
  /** Whether it has no heading, for a row of other controls. */
  readonly bare?: boolean;
  readonly onChange: (pictures: readonly Picture[]) => void;
}

const THUMBNAIL = 56;

/** Pictures from this machine, chosen, dropped on the page or pasted, or from the library. */
export function PictureField({ label, pictures, most, help, bare = false, onChange }: PictureFieldProps): ReactNode {
  const t = useMessages();
  const input = useRef<HTMLInputElement>(null);
  const [picking, setPicking] = useState(false);
  const taking = useTaking((added) => onChange([...pictures, ...added].slice(-most)));
  const takeFiles = (files: readonly File[]): void =>
    void taking.take(files.map((file) => readPicture(file.name, file)));
  const isDragging = useGivenFiles(takeFiles);
  const helpText = isDragging ? t.playground.dropHere : (taking.problem ?? help);
  return (
    <fieldset
      aria-label={label}
      className={`min-w-0 rounded-md ${isDragging ? "outline-2 outline-offset-4 outline-accent outline-dashed" : ""}`}
    >
      {!bare && <p className="mb-1 font-medium">{label}</p>}
      {pictures.length > 0 && (
        <ul className="mb-2 flex flex-wrap gap-2">
          {pictures.map((picture) => (
            <li key={picture.id} className="flex items-start gap-0.5">
              <PictureCanvas picture={picture} side={THUMBNAIL} />
              <Button
                look="quiet"
                aria-label={t.playground.removePicture(picture.name)}
                onClick={() => onChange(pictures.filter(({ id }) => id !== picture.id))}
                className="w-7 px-0!"
              >
                <X size={13} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className={`flex flex-wrap ${bare ? "gap-0.5" : "gap-2"}`}>
        <input
          ref={input}
          type="file"
          accept={PICTURE_TYPES}
          multiple={most > 1}
          aria-label={t.playground.fileFor(label)}
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            takeFiles([...(event.target.files ?? [])]);
            // Permits choosing the same file again.
            event.target.value = "";
          }}
        />
        {bare ? (
          <>
            <IconButton label={t.playground.fromFile} onClick={() => input.current?.click()}>
              <Paperclip size={15} aria-hidden />
            </IconButton>
            <IconButton label={t.playground.fromLibrary} onClick={() => setPicking(true)}>
              <Images size={15} aria-hidden />
            </IconButton>
          </>
        ) : (
          <>
            <Button icon={<Paperclip size={14} aria-hidden />} onClick={() => input.current?.click()}>
              {t.playground.fromFile}
            </Button>
            <Button icon={<Images size={14} aria-hidden />} onClick={() => setPicking(true)}>
              {t.playground.fromLibrary}
            </Button>
          </>
        )}
      </div>
      {helpText !== undefined && (
        <p className={`mt-1 text-meta ${!isDragging && taking.problem !== null ? "text-danger-text" : "text-faint"}`}>
          {helpText}
        </p>
      )}
      <LibraryPicker
        open={picking}
        onClose={() => setPicking(false)}
        onPick={(view) => {
          setPicking(false);
          void taking.take([pictureFromLibrary(view)]);
        }}
      />
    </fieldset>
  );
}

interface Taking {
  /** Why the last one could not be taken. */
  readonly problem: string | null;
  take(pictures: readonly Promise<Picture>[]): Promise<void>;
}

/** Adds pictures as they are read, and reports unreadable ones. */
function useTaking(onTake: (pictures: readonly Picture[]) => void): Taking {
  const t = useMessages();
  const [problem, setProblem] = useState<string | null>(null);
  return {
    problem,
    async take(pictures) {
      const read = await Promise.allSettled(pictures);
      const added = read.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const failed = read.find((one) => one.status === "rejected");
      const reason: unknown = failed?.reason;
      setProblem(
        failed === undefined
          ? null
          : t.playground.unreadable[reason instanceof PictureError ? reason.reason : "broken"],
      );
      if (added.length > 0) onTake(added);
    },
  };
}
