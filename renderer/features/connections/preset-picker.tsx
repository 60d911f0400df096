import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { Search } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Preset } from "../../../gateway/contract/control.ts";
import { ProviderGlyph } from "../../components/glyph.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface PresetPickerProps {
  readonly presets: readonly Preset[];
  readonly chosen: Preset;
  readonly onChoose: (preset: Preset) => void;
}

/** Max presets that are shown without a search field. */
const AT_A_GLANCE = 12;

/** Presets whose name matches; the selected one and "any other server" are always included. */
export function matchingPresets(presets: readonly Preset[], typed: string, chosen: Preset): readonly Preset[] {
  const query = typed.trim().toLowerCase();
  return presets.filter(
    ({ id, label, base_url }) => id === chosen.id || base_url === "" || `${label} ${id}`.toLowerCase().includes(query),
  );
}

/** Known providers to choose from, and any other server, as the gateway lists them. */
export function PresetPicker({ presets, chosen, onChoose }: PresetPickerProps): ReactNode {
  const t = useMessages();
  const [typed, setTyped] = useState("");
  const list = useRef<HTMLDivElement>(null);
  // A link may have chosen one that is out of sight.
  useEffect(() => {
    list.current?.querySelector("[data-checked]")?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div>
      <div className="mb-1 flex items-center gap-3">
        <p id="preset-label" className="font-medium">
          {t.connections.provider}
        </p>
        {presets.length > AT_A_GLANCE && (
          <label className="ms-auto flex h-7 min-w-32 items-center gap-2 rounded-md px-2 text-faint focus-within:outline-2 focus-within:outline-focus">
            <Search size={14} aria-hidden className="shrink-0" />
            <span className="sr-only">{t.table.filter}</span>
            <input
              type="search"
              value={typed}
              placeholder={t.table.filter}
              onChange={(event) => setTyped(event.target.value)}
              // Enter would submit the surrounding form.
              onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
              className="min-w-0 grow bg-transparent text-text outline-none placeholder:text-faint"
            />
          </label>
        )}
      </div>
      <RadioGroup
        ref={list}
        aria-labelledby="preset-label"
        value={chosen.id}
        onValueChange={(id) => {
          const preset = presets.find((each) => each.id === id);
          if (preset !== undefined) onChoose(preset);
        }}
        className="-m-1 grid max-h-64 grid-cols-[repeat(auto-fill,minmax(148px,1fr))] gap-1.5 overflow-y-auto p-1"
      >
        {matchingPresets(presets, typed, chosen).map(({ id, label }) => (
          <Radio.Root
            key={id}
            value={id}
            className="flex min-h-8 min-w-0 items-center gap-2 rounded-md border border-line px-2 transition-colors hover:border-line-strong pointer-coarse:min-h-9 data-checked:border-accent data-checked:bg-accent-soft data-checked:text-accent-text forced-colors:data-checked:outline-2"
          >
            <ProviderGlyph id={id} name={label} />
            <span className="py-1 leading-4">{label}</span>
          </Radio.Root>
        ))}
      </RadioGroup>
    </div>
  );
}
