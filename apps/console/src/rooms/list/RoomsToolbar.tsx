import { ActionIcon, Button, Checkbox, NativeSelect } from '@mantine/core'
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
import { type RefObject, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { isSessionEnd } from '#api/text-of-error.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { CsvFormMenu } from '#ui/CsvFormMenu.tsx'
import { MenuOnDemand } from '#ui/MenuOnDemand.tsx'
import { onDemand, tellPartFailed } from '#ui/on-demand.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import { SearchField } from '#ui/table/SearchField.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import { exportQueryOf } from './queries.ts'
import classes from './RoomsToolbar.module.css'
import { isFiltered, type RoomsSearch, scopes } from './search.ts'
import type { ChangeSearch, Narrowing, RoomListState } from './use-room-list.ts'

interface RoomsToolbarProps {
  search: RoomsSearch
  /** The input that `/` focuses. */
  searchRef: RefObject<HTMLInputElement | null>
  /** Must lead to the first page. */
  onNarrow: (change: Narrowing) => void
  onReset: () => void
  onSearch: ChangeSearch
  /** Leads from the search to the first row. */
  onLeave: () => void
}

const FilterPanel = onDemand(async () => ({ default: (await import('./filters/FilterPanel.tsx')).FilterPanel }))
const FilterChips = onDemand(async () => ({ default: (await import('./filters/FilterChips.tsx')).FilterChips }))

/** The search text, the searched field, whether failed rooms are shown, and the filters. */
export function RoomsToolbar({ search, searchRef, onNarrow, onReset, onSearch, onLeave }: RoomsToolbarProps) {
  const { t } = useTranslation(['rooms', 'app'])
  return (
    <search className={classes.root}>
      <SearchField
        inputRef={searchRef}
        label={t('search.label')}
        clearLabel={t('search.clear')}
        text={search.q ?? ''}
        onText={(q) => onNarrow({ q: q === '' ? undefined : q })}
        onLeave={onLeave}
      />
      <NativeSelect
        size="xs"
        className={classes.scope ?? ''}
        aria-label={t('search.in')}
        value={search.in ?? 'all'}
        data={scopes.map((scope) => ({ value: scope, label: t(`search.scopes.${scope}`) }))}
        onChange={({ currentTarget: { value } }) => onNarrow({ in: scopes.find((each) => each === value) })}
      />
      <Checkbox
        size="xs"
        className={classes.failed ?? ''}
        label={t('hideFailed')}
        checked={search.hideFailed === true}
        onChange={(event) => onNarrow({ hideFailed: event.currentTarget.checked || undefined })}
      />
      <MenuOnDemand
        opens="dialog"
        button={
          <Button size="xs" variant="default" leftSection={<IconFilter size={16} stroke={1.8} aria-hidden />}>
            {t('filters.title')}
          </Button>
        }
        menu={(panel) => <FilterPanel {...panel} filters={search} onFilter={onNarrow} />}
      />
      <ViewsButton search={search} onSearch={onSearch} />
      {isFiltered(search) && (
        <Boundary onError={tellPartFailed}>
          <Suspense>
            <FilterChips filters={search} onFilter={onNarrow} onReset={onReset} />
          </Suspense>
        </Boundary>
      )}
    </search>
  )
}

const ViewsMenu = onDemand(async () => ({ default: (await import('./views/ViewsMenu.tsx')).ViewsMenu }))
const ViewName = onDemand(async () => ({ default: (await import('./views/ViewName.tsx')).ViewName }))

function ViewsButton({ search, onSearch }: Pick<RoomsToolbarProps, 'search' | 'onSearch'>) {
  const { t } = useTranslation('rooms')
  const title = t('views')
  return (
    <MenuOnDemand
      button={
        <Button
          size="xs"
          variant="default"
          className={classes.views ?? ''}
          leftSection={<IconBookmark size={16} stroke={1.8} aria-hidden />}
        >
          {search.view === undefined ? (
            title
          ) : (
            <Boundary onError={tellPartFailed}>
              <Suspense fallback={title}>
                <ViewName search={search} />
              </Suspense>
            </Boundary>
          )}
        </Button>
      }
      menu={(menu) => <ViewsMenu {...menu} search={search} onSearch={onSearch} />}
    />
  )
}

interface RoomsPageActionsProps {
  search: RoomsSearch
  list: RoomListState
  onHelp: () => void
}

export function RoomsPageActions({ search, list, onHelp }: RoomsPageActionsProps) {
  const { t } = useTranslation('rooms')
  const { role } = useOperator()
  const download = useMutation({
    mutationFn: async () => (await import('../export-rooms.ts')).exportRooms(exportQueryOf(search)),
    onSuccess: () => toastSuccess(t('export.title'), t('export.done')),
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('export.title'), t('export.failed'))
    },
  })
  return (
    <>
      <ActionIcon
        size={30}
        c="dimmed"
        className={classes.keys ?? ''}
        aria-label={t('keys.title')}
        title={t('keys.title')}
        onClick={onHelp}
      >
        <IconKeyboard size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
      <ToolbarButton className={classes.action ?? ''} icon={IconRefresh} onClick={list.refetch}>
        {t('refresh')}
      </ToolbarButton>
      <ToolbarButton
        className={classes.action ?? ''}
        icon={IconDownload}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        {t('export.title')}
      </ToolbarButton>
      <CsvFormMenu onExport={() => download.mutate()} />
      {roleAllows(role, 'edit') && (
        <Button
          size="xs"
          variant="default"
          className={classes.action ?? ''}
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
