import { Grid2x2, Grid3x3, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../components/ui/button.tsx";
import { useMessages } from "../../lib/i18n.tsx";
import { useStored } from "../../lib/stored.ts";
import { densities, getDensity, type Density } from "./tile-grid.ts";

const icons: Readonly<Record<Density, LucideIcon>> = { small: Grid3x3, large: Grid2x2 };

/** The size of the tiles, remembered in this browser, and what changes it. */
export function useDensity(): readonly [Density, (density: Density) => void] {
  const [stored, store] = useStored("library.tiles");
  return [getDensity(stored), store];
}

/** Small or large tiles. */
export function TileSizeSwitch(): ReactNode {
  const t = useMessages();
  const [density, choose] = useDensity();
  return (
    <fieldset className="flex">
      <legend className="sr-only">{t.library.tileSize}</legend>
      {densities.map((each) => {
        const Icon = icons[each];
        return (
          <IconButton
            key={each}
            label={t.library.tileSizes[each]}
            aria-pressed={each === density}
            onClick={() => choose(each)}
            className={each === density ? "bg-pressed! text-text!" : ""}
          >
            <Icon size={14} aria-hidden />
          </IconButton>
        );
      })}
    </fieldset>
  );
}
