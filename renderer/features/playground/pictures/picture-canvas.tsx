/* oxlint-disable jsx-a11y/prefer-tag-over-role -- A canvas is drawn on, an img is not. */
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Picture } from "./picture.ts";

/** A picture, small. Drawn, because the pages' policy shows files of Postern alone. */
export function PictureCanvas({ picture, side }: { readonly picture: Picture; readonly side: number }): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    let over = false;
    const draw = async (): Promise<void> => {
      const bitmap = await createImageBitmap(picture.file);
      const target = canvas.current;
      if (!over && target !== null) {
        const scale = Math.min(1, (side * 2) / Math.max(bitmap.width, bitmap.height));
        target.width = Math.max(1, Math.round(bitmap.width * scale));
        target.height = Math.max(1, Math.round(bitmap.height * scale));
        target.getContext("2d")?.drawImage(bitmap, 0, 0, target.width, target.height);
      }
      bitmap.close();
    };
    draw().catch(() => setBroken(true));
    return () => {
      over = true;
    };
  }, [picture, side]);
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={picture.name}
      className={`max-w-full rounded-sm bg-pressed object-contain forced-colors:border ${broken ? "opacity-40" : ""}`}
      style={{ height: side, maxWidth: side * 2 }}
    />
  );
}
