import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import type { ReactNode } from "react";
import type { Preset } from "../../../gateway/contract/control.ts";
import { ProviderGlyph } from "../../components/glyph.tsx";
import { useMessages } from "../../lib/i18n.tsx";

export interface PresetPickerProps {
  readonly presets: readonly Preset[];
  readonly chosen: Preset;
  readonly onChoose: (preset: Preset) => void;
}

/** Known providers to choose from, and any other server, as the gateway lists them. */
export function PresetPicker({ presets, chosen, onChoose }: PresetPickerProps): ReactNode {
  const t = useMessages();
  return (
    <div>
      <p id="preset-label" className="mb-1 font-medium">
        {t.connections.provider}
      </p>
      <RadioGroup
        aria-labelledby="preset-label"
        value={chosen.id}
        onValueChange={(id) => {
          const preset = presets.find((each) => each.id === id);
          if (preset !== undefined) onChoose(preset);
        }}
        className="grid grid-cols-[repeat(auto-fill,minmax(148px,1fr))] gap-1.5"
      >
        {presets.map(({ id, label }) => (
          <Radio.Root
            key={id}
            value={id}
            className="flex min-h-8 min-w-0 items-center gap-2 rounded-md border border-line px-2 transition-colors hover:border-line-strong pointer-coarse:min-h-9 data-checked:border-accent data-checked:bg-accent-soft data-checked:text-accent-text forced-colors:data-checked:outline-2"
            aria-label={label}
          >
            <ProviderGlyph id={id} name={label} />
            <span className="py-1 leading-4">{label}</span>
          </Radio.Root>
        ))}
      </RadioGroup>
    </div>
  );
}
