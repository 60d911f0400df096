import { useState, type ReactNode } from "react";
import type { ImportProgram, ImportSource } from "../../../gateway/contract/import-operations.ts";
import { Button } from "../../components/ui/button.tsx";
import { SelectField, TextAreaField, TextField } from "../../components/ui/field.tsx";
import { Segmented } from "../../components/ui/segmented.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface OtherPlaceProps {
  readonly programs: readonly ImportProgram[];
  readonly onLook: (source: ImportSource) => void;
}

/** Chooses a set-up elsewhere: in a folder that the owner names, or in a pasted text. */
export function OtherPlace({ programs, onLook }: OtherPlaceProps): ReactNode {
  const t = useMessages();
  const [program, setProgram] = useState<ImportProgram["id"]>(programs[0]?.id ?? "env");
  const [kind, setKind] = useState<"folder" | "text">("folder");
  const [given, setGiven] = useState("");
  const [missing, setMissing] = useState(false);
  const look = (): void => {
    const text = given.trim();
    setMissing(text === "");
    if (text !== "") onLook({ program, ...(kind === "folder" ? { folder: text } : { text: given }) });
  };
  const field = {
    value: given,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      setMissing(false);
      setGiven(target.value);
    },
    ...(missing && { error: t.import.missing[kind] }),
  };
  return (
    <section className="panel mt-4 max-w-180 p-3.5" aria-label={t.import.elsewhere}>
      <h2 className="font-semibold">{t.import.elsewhere}</h2>
      <form
        className="mt-2 flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          look();
        }}
      >
        <div className="flex flex-wrap items-end gap-3">
          <SelectField
            label={t.import.program}
            value={program}
            onChange={setProgram}
            choices={programs.map(({ id, label }) => ({ id, label }))}
          />
          <Segmented
            label={t.import.from}
            value={kind}
            onChange={setKind}
            choices={[
              { id: "folder", label: t.import.folder },
              { id: "text", label: t.import.text },
            ]}
          />
        </div>
        {kind === "folder" ? (
          <TextField mono label={t.import.folder} help={t.import.folderHelp} {...field} />
        ) : (
          <TextAreaField mono rows={4} label={t.import.text} help={t.import.textHelp} {...field} />
        )}
        <div>
          <Button type="submit">{t.import.look}</Button>
        </div>
      </form>
    </section>
  );
}
