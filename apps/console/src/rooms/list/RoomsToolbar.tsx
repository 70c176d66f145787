import { Button, Checkbox } from '@mantine/core'
import { roleAllows } from '@roomkeeper/rules'
import {
  IconBookmark,
  IconDownload,
  IconFileImport,
  IconFilter,
  IconKeyboard,
  IconPlus,
  IconRefresh,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { CsvFormatMenu } from '#ui/CsvFormatMenu.tsx'
import { MenuOnDemand } from '#ui/MenuOnDemand.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import { showKeys } from '#ui/table/use-page-keys.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { FilterChips } from './filters/FilterChips.tsx'
import { roomQueryOf } from './list-request.ts'
import classes from './RoomsToolbar.module.css'
import { ScopedSearch } from './ScopedSearch.tsx'
import { isFiltered } from './search.ts'
import type { RoomListState } from './use-room-list.ts'
import { useActiveView } from './views/views.ts'

const FilterPanel = onDemand(() => import('./filters/FilterPanel.tsx'), 'FilterPanel')

/** The search, whether failed rooms are shown, and the filters. */
export function RoomsToolbar({ list }: { list: RoomListState }) {
  const { t } = useTranslation(['rooms', 'app'])
  const { search, filter } = list
  return (
    <ScopedSearch search={search} isOutdated={list.isOutdated} onFind={filter}>
      <Checkbox
        size="xs"
        mr="xs"
        label={t('hideFailed')}
        checked={search.hideFailed === true}
        onChange={(event) => filter({ hideFailed: event.currentTarget.checked || undefined })}
      />
      <MenuOnDemand
        opens="dialog"
        button={
          <Button size="xs" variant="default" leftSection={<IconFilter size={16} stroke={1.8} aria-hidden />}>
            {t('filters.title')}
          </Button>
        }
        menu={(panel) => <FilterPanel {...panel} filters={search} onFilter={filter} />}
      />
      <ViewsButton search={search} onSearch={list.onSearch} />
      {isFiltered(search) && <FilterChips filters={search} onFilter={filter} onReset={list.resetFilter} />}
    </ScopedSearch>
  )
}

const ViewsMenu = onDemand(() => import('./views/ViewsMenu.tsx'), 'ViewsMenu')

function ViewsButton({ search, onSearch }: Pick<RoomListState, 'search' | 'onSearch'>) {
  const { t } = useTranslation('rooms')
  return (
    <MenuOnDemand
      button={
        <Button size="xs" variant="default" maw={260} leftSection={<IconBookmark size={16} stroke={1.8} aria-hidden />}>
          {search.view === undefined ? (
            t('views')
          ) : (
            <Suspense fallback={t('views')}>
              <ViewName search={search} />
            </Suspense>
          )}
        </Button>
      }
      menu={(menu) => <ViewsMenu {...menu} search={search} onSearch={onSearch} />}
    />
  )
}

/** The label of the button of the views: which one was chosen, and whether the list has been changed since. */
function ViewName({ search }: Pick<RoomListState, 'search'>) {
  const { t } = useTranslation('views')
  const active = useActiveView(search)
  if (active === undefined) return t('title')
  const { name } = active.view
  return active.isChanged ? t('changed', { name }) : name
}

const keysClasses = { root: classes.keys, section: classes.keysIcon, label: classes.keysLabel }
const actionClasses = { root: classes.action, section: classes.actionIcon, label: classes.actionLabel }

export function RoomsPageActions({ list }: { list: RoomListState }) {
  const { t } = useTranslation('rooms')
  const { role } = useOperator()
  const download = useMutation({
    mutationFn: async (onlyShown: boolean) => {
      const query = roomQueryOf(list.search)
      const { exportRooms, exportShown } = await import('../export-rooms.ts')
      await (onlyShown ? exportShown(query) : exportRooms(query))
    },
    onSuccess: () => toastSuccess(t('export.title'), t('export.done')),
    meta: { failed: t('export.title'), failedText: t('export.failed') },
  })
  return (
    <>
      <ToolbarButton
        variant="subtle"
        color="gray"
        classNames={keysClasses}
        icon={IconKeyboard}
        aria-label={t('keys.title')}
        title={t('keys.title')}
        onClick={() => showKeys()}
      >
        {t('keys.button')}
      </ToolbarButton>
      <ToolbarButton classNames={actionClasses} icon={IconRefresh} onClick={list.refetch}>
        {t('refresh')}
      </ToolbarButton>
      <ToolbarButton
        classNames={actionClasses}
        icon={IconDownload}
        loading={download.isPending}
        onClick={() => download.mutate(false)}
      >
        {t('export.title')}
      </ToolbarButton>
      <CsvFormatMenu
        onExport={() => download.mutate(false)}
        other={{ label: t('export.shown'), onExport: () => download.mutate(true) }}
      />
      {roleAllows(role, 'edit') && (
        <Button
          size="xs"
          variant="default"
          classNames={actionClasses}
          component={Link}
          to="/project/import_project_room"
          leftSection={<IconFileImport size={16} stroke={1.8} aria-hidden />}
        >
          {t('import')}
        </Button>
      )}
      {roleAllows(role, 'edit') && (
        <Button
          size="xs"
          component={Link}
          to="/project/create_project_room"
          leftSection={<IconPlus size={16} stroke={2} aria-hidden />}
        >
          {t('new')}
        </Button>
      )}
    </>
  )
}
