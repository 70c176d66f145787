import { Box, Tabs, VisuallyHidden } from '@mantine/core'
import { ProblemError, type ProjectRoom } from '@roomkeeper/contract'
import { isAdministrator } from '@roomkeeper/rules'
import { getRouteApi } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { BackupsPanel } from '#backups/index.ts'
import { DatabasesPanel } from '#databases/index.ts'
import { Notes } from '#notes/index.ts'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { useLiveRoom } from '../queries.ts'
import { RoomNotFound } from '../RoomNotFound.tsx'
import { RegionDown, StatePill, useRoomWords } from '../room-words.tsx'
import { AdjacentRooms } from './AdjacentRooms.tsx'
import { EditForm } from './EditForm.tsx'
import classes from './EditRoomPage.module.css'
import { RoomButtons } from './RoomButtons.tsx'
import { RoomNotices } from './RoomNotices.tsx'
import { type EditTab, editTabs } from './search.ts'

const RoomFacts = onDemand(() => import('../facts/RoomFacts.tsx'), 'RoomFacts')

const route = getRouteApi('/project/_signed-in/edit_project_room/$id')

interface EditRoomPageProps {
  /** Shows the history of the room. */
  history: ComponentType<HistoryProps>
}

interface HistoryProps {
  room: ProjectRoom
  page: number
  onPage: (page: number) => void
}

/** The edit screen of a project room: overview, settings, databases, backups, history and actions. */
export function EditRoomPage({ history }: EditRoomPageProps) {
  const { id: name } = route.useParams()
  const { t } = useTranslation('rooms')
  const { data, error, isPending, refetch } = useLiveRoom(name)
  const isGone = error instanceof ProblemError && error.problem.status === 404
  const room = isGone ? undefined : data
  if (isPending) return <FullScreenSpinner />
  return (
    <Page
      key={name}
      title={t('room.title', { name })}
      width="half"
      before={
        <>
          <BackButton />
          <AdjacentRooms name={name} />
        </>
      }
      beside={room !== undefined && <RoomState room={room} />}
      actions={room !== undefined && <RoomButtons room={room} />}
    >
      {room === undefined ? (
        <RoomNotFound name={name} error={error} onAgain={() => void refetch()} />
      ) : (
        <>
          <RoomNotices room={room} />
          <Parts room={room} history={history} />
        </>
      )}
    </Page>
  )
}

/** The state of the room, and that its region is down. */
function RoomState({ room }: { room: ProjectRoom }) {
  const words = useRoomWords()
  return (
    <>
      <StatePill state={room.projectRoomState} words={words} />
      <RegionDown room={room} words={words} />
    </>
  )
}

const onlyForAdmins: readonly EditTab[] = ['databases', 'backups']

interface PartsProps extends EditRoomPageProps {
  room: ProjectRoom
}

function Parts({ room, history: History }: PartsProps) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { t } = useTranslation('edit')
  const isAdmin = isAdministrator(useOperator().role)
  const offered = editTabs.filter((each) => isAdmin || !onlyForAdmins.includes(each))
  const tab = offered.find((each) => each === search.tab) ?? 'settings'
  const choose = (chosen: string | null) => {
    const next = offered.find((each) => each === chosen) ?? 'settings'
    void navigate({ search: next === 'settings' ? {} : { tab: next } })
  }
  return (
    <Tabs value={tab} onChange={choose} keepMounted={false}>
      <Tabs.List mb="sm" className={classes.tabs}>
        {offered.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {t(`tabs.${each}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Part tab="overview">
        <Box p="lg" bdrs="lg" className="rk-panel">
          <VisuallyHidden component="h2">{t('tabs.overview')}</VisuallyHidden>
          <RoomFacts room={room} isComplete notes={<Notes room={room} />} />
        </Box>
      </Part>
      {/* Entries stay while another tab is open. */}
      <Tabs.Panel value="settings" keepMounted>
        <Suspense>
          <EditForm key={room.tenantName} room={room} isShown={tab === 'settings'} />
        </Suspense>
      </Tabs.Panel>
      <Part tab="databases">
        <DatabasesPanel room={room} />
      </Part>
      <Part tab="backups">
        <BackupsPanel room={room} />
      </Part>
      <Part tab="history">
        <History
          room={room}
          page={search.page ?? 1}
          onPage={(page) => void navigate({ search: { tab: 'history', ...(page > 1 ? { page } : {}) } })}
        />
      </Part>
    </Tabs>
  )
}

/** A tab whose texts are loaded when it is opened. */
function Part({ tab, children }: { tab: EditTab; children: ReactNode }) {
  return (
    <Tabs.Panel value={tab}>
      <Suspense>{children}</Suspense>
    </Tabs.Panel>
  )
}
