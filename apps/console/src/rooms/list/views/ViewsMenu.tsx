import { Menu, Space } from '@mantine/core'
import type { View } from '@roomkeeper/contract'
import { roleAllows } from '@roomkeeper/rules'
import { IconCheck, IconDeviceFloppy, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import type { OnDemandMenuProps } from '#ui/MenuOnDemand.tsx'
import type { ChangeSearch, RoomsSearch } from '../search.ts'
import { ViewDialog } from './ViewDialog.tsx'
import { showColumns, showView, useActiveView, useViewActions, viewsQuery } from './views.ts'

interface ViewsMenuProps extends OnDemandMenuProps {
  search: RoomsSearch
  onSearch: ChangeSearch
}

const defaultColumns = { hidden: [], shown: [], widths: [], order: [] }

/** Chooses a view, and saves the list as one. */
export function ViewsMenu({ search, onSearch, target, ...menu }: ViewsMenuProps) {
  const { t } = useTranslation('views')
  const { data, error } = useQuery({ ...viewsQuery, enabled: menu.opened })
  const views = data ?? []
  const show = (view: View) => onSearch(showView(view, search))
  const showAll = () => {
    showColumns(defaultColumns)
    onSearch({ size: search.size })
  }
  const group = (title: string, members: View[]) =>
    members.length > 0 && (
      <>
        <Menu.Label>{title}</Menu.Label>
        {members.map((view) => (
          <ViewItem key={view.id} view={view} isActive={view.id === search.view} onShow={show} />
        ))}
      </>
    )
  return (
    <Menu {...menu} position="bottom-start" width={300}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown mah="min(60vh, 480px)" style={{ overflowY: 'auto' }}>
        <Menu.Item onClick={showAll}>{t('all')}</Menu.Item>
        {group(
          t('own'),
          views.filter(({ isOwn }) => isOwn),
        )}
        {group(
          t('shared'),
          views.filter(({ isOwn }) => !isOwn),
        )}
        {error !== null && <Menu.Label role="alert">{t('loadFailed')}</Menu.Label>}
        <Menu.Divider />
        <ChangeItems search={search} onSearch={onSearch} />
      </Menu.Dropdown>
    </Menu>
  )
}

interface ViewItemProps {
  view: View
  isActive: boolean
  onShow: (view: View) => void
}

function ViewItem({ view, isActive, onShow }: ViewItemProps) {
  const { t } = useTranslation('views')
  return (
    <Menu.Item
      aria-current={isActive || undefined}
      leftSection={isActive ? <IconCheck size={14} aria-hidden /> : <Space w={14} />}
      rightSection={view.isOwn ? undefined : <span className="rk-note">{t('by', { owner: view.owner })}</span>}
      onClick={() => onShow(view)}
    >
      <span className="rk-text">{view.name}</span>
    </Menu.Item>
  )
}

/** What can be done with the list as it is now, and with the view that was chosen. */
function ChangeItems({ search, onSearch }: Pick<ViewsMenuProps, 'search' | 'onSearch'>) {
  const { t } = useTranslation('views')
  const { role } = useOperator()
  const active = useActiveView(search)
  const actions = useViewActions()
  const leave = () => onSearch({ ...search, view: undefined })
  const edit = (view: View | null) =>
    openDialog(<ViewDialog view={view} search={search} onSaved={({ id }) => onSearch({ ...search, view: id })} />)
  const view = active?.view
  return (
    <>
      {view?.isOwn && active?.isChanged && (
        <Menu.Item
          leftSection={<IconDeviceFloppy size={14} aria-hidden />}
          onClick={() => void actions.saveChanges(view, search)}
        >
          {t('saveChanges', view)}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconPlus size={14} aria-hidden />} onClick={() => edit(null)}>
        {t('saveAs')}
      </Menu.Item>
      {view?.isOwn && (
        <Menu.Item leftSection={<IconPencil size={14} aria-hidden />} onClick={() => edit(view)}>
          {t('edit', view)}
        </Menu.Item>
      )}
      {view !== undefined && (view.isOwn || roleAllows(role, 'admin')) && (
        <Menu.Item
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => void actions.remove(view).then((isRemoved) => isRemoved && leave())}
        >
          {t('delete', view)}
        </Menu.Item>
      )}
    </>
  )
}
