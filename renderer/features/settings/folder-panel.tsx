import { FolderOpen } from "lucide-react";
import type { ReactNode } from "react";
import type { DataFolderView } from "../../../gateway/contract/maintenance.ts";
import { useDataFolder } from "../../api/maintenance-queries.ts";
import { Button } from "../../components/ui/button.tsx";
import { CopyIcon } from "../../components/ui/copy.tsx";
import { Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { formatBytes, formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { Group } from "./setting.tsx";

/** Location of the data, and of its parts. */
export function FolderPanel(): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { data: folder, error, refetch } = useDataFolder();
  const { desktop } = window;
  return (
    <Group
      title={t.settings.folder}
      help={desktop === undefined ? t.settings.folderInBrowser : t.settings.folderHelp}
      actions={
        <Button
          icon={<FolderOpen size={14} aria-hidden />}
          disabled={desktop === undefined}
          onClick={() => void desktop?.openDataFolder().catch(notify.showError)}
        >
          {t.settings.openFolder}
        </Button>
      }
    >
      {folder !== undefined ? (
        <Parts folder={folder} />
      ) : error === null ? (
        <SkeletonRows rows={6} />
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
    </Group>
  );
}

function Parts({ folder }: { readonly folder: DataFolderView }): ReactNode {
  const t = useMessages();
  return (
    <div>
      <div className="mb-2 flex items-center gap-1">
        <code className="min-w-0 truncate font-mono text-meta" title={folder.path}>
          {folder.path}
        </code>
        <CopyIcon text={folder.path} label={t.settings.copyPath} />
      </div>
      <table className="numeric w-full">
        <thead className="sr-only">
          <tr>
            <th scope="col">{t.settings.part}</th>
            <th scope="col">{t.settings.files}</th>
            <th scope="col">{t.settings.size}</th>
          </tr>
        </thead>
        <tbody>
          {folder.parts.map(({ part, bytes, files }) => (
            <tr key={part} className="border-b border-line/60">
              <th scope="row" className="h-8 min-w-0 py-1 pr-3 text-left font-normal">
                <span className="flex flex-wrap items-baseline gap-x-2">
                  {t.settings.parts[part]}
                  <span className="text-meta text-faint">{t.settings.partHelp[part]}</span>
                </span>
              </th>
              <td className="pr-3 text-right text-meta whitespace-nowrap text-faint">
                {t.settings.fileCount(formatCount(files))}
              </td>
              <td className="text-right whitespace-nowrap">{formatBytes(bytes)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="font-medium">
            <th scope="row" className="h-8 text-left font-medium">
              {t.settings.total}
            </th>
            <td className="pr-3 text-right text-meta font-normal whitespace-nowrap text-faint">
              {t.settings.fileCount(formatCount(folder.files))}
            </td>
            <td className="text-right whitespace-nowrap">{formatBytes(folder.bytes)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
