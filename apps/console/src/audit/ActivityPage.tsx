import { Button, Chip, Group, Title } from '@mantine/core'
import type { ActivityEntry, ActivityQuery } from '@roomkeeper/contract'
import { isAdministrator } from '@roomkeeper/rules'
import { IconX } from '@tabler/icons-react'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { client, inBackground } from '#api/client.ts'
import { usePollInterval } from '#api/events.ts'
import { useRefetchOnEvents } from '#api/follow-up.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { isSessionEnd, textOf } from '#locales/error-texts.ts'
import { formatDate } from '#ui/format.ts'
import { ListPage } from '#ui/ListPage.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import { NotLoaded, NotRefreshed } from '#ui/table/NotLoaded.tsx'
import { useStableOrder } from '#ui/table/use-stable-order.ts'
import { ActivityItem } from './ActivityItem.tsx'
import classes from './Audit.module.css'
import { type ActivitySearch, activityQueryOf, byDay, groups, kindsOf, startOfDay } from './activity-search.ts'

const route = getRouteApi('/project/_signed-in/activity')

/** Sign-ins and some changes, such as those of settings, have no live event. */
const agingMilliseconds = 30_000

/** Who did what, by days, the newest first: the audit trail as people read it. */
export function ActivityPage() {
  const { t } = useTranslation('activity')
  const { email } = useOperator()
  const search = route.useSearch()
  const now = new Date()
  const wanted = activityQueryOf(search, email, now)
  const poll = usePollInterval()
  const refetchInterval = poll || agingMilliseconds
  const { data, error, refetch, ...query } = useInfiniteQuery({ ...activityQuery(wanted), refetchInterval })
  useRefetchOnEvents(['activity'], () => true)
  // useStableOrder compares by identity: a new array in each render would loop.
  const found = useMemo(() => data?.pages.flatMap((page) => page.data), [data])
  const { rows, hold } = useStableOrder({
    rows: found,
    rowId: ({ id }) => id,
    orderKey: JSON.stringify(wanted),
    isOutdated: query.isPlaceholderData,
  })
  const failure = error === null || isSessionEnd(error) ? null : { title: t('failed'), text: textOf(error) }
  const onAgain = () => void refetch()
  return (
    <ListPage title={t('title')} hint={t('pageHint')} onRefresh={refetch}>
      <Filter search={search} />
      {failure !== null && rows !== undefined && <NotRefreshed {...failure} onAgain={onAgain} />}
      {rows === undefined ? (
        <NotLoaded failure={failure} onAgain={onAgain} isOutdated={false} expectedRows={12} />
      ) : (
        <div
          className={classes.days}
          data-outdated={query.isPlaceholderData}
          onPointerEnter={({ currentTarget }) => hold(currentTarget)}
          onPointerLeave={() => hold(null)}
        >
          {byDay(rows, now).map(({ day, entries }) => (
            <Day key={day.getTime()} day={day} now={now} entries={entries} />
          ))}
          {query.hasNextPage && (
            <Button
              variant="default"
              size="xs"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {t('older')}
            </Button>
          )}
        </div>
      )}
    </ListPage>
  )
}

function activityQuery(wanted: Partial<ActivityQuery>) {
  return infiniteQueryOptions({
    queryKey: ['activity', 'page', wanted],
    queryFn: async ({ pageParam: after, signal, client: cache, queryKey }) => {
      const state = cache.getQueryState(queryKey)
      const isAgain = state?.data !== undefined && state.fetchMeta?.fetchMore === undefined
      const input = { query: { ...wanted, after }, headers: isAgain ? inBackground : {}, signal }
      return (await client.call('activity', input)).body
    },
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

interface DayProps {
  day: Date
  now: Date
  entries: readonly ActivityEntry[]
}

function Day({ day, now, entries }: DayProps) {
  const { t } = useTranslation('activity')
  const today = startOfDay(now)
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  const names = new Map([
    [today.getTime(), t('today')],
    [yesterday.getTime(), t('yesterday')],
  ])
  const date = formatDate(day.toISOString())
  const name = names.get(day.getTime())
  return (
    <section className="rk-panel" aria-label={name ?? date}>
      <Title order={2} size="h4" className={classes.day}>
        {name ?? date} {name !== undefined && <span className="rk-note">{date}</span>}
      </Title>
      {entries.length === 0 ? (
        <p className="rk-hint">{t('nothingToday')}</p>
      ) : (
        <ol className="rk-list">
          {entries.map((entry) => (
            <ActivityItem key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </section>
  )
}

/** Chips for kinds, and the presets: today, mine. */
function Filter({ search }: { search: ActivitySearch }) {
  const { t } = useTranslation('activity')
  const { role } = useOperator()
  const navigate = route.useNavigate()
  const change = (to: ActivitySearch) => void navigate({ search: (before) => ({ ...before, ...to }) })
  // Others are told of project rooms only.
  const offered = groups.filter((each) => isAdministrator(role) || each !== 'sign-ins')
  const choose = (chosen: string[]) => {
    const kinds = groups.filter((each) => chosen.includes(each)).join(',')
    change({ kinds: kinds === '' || kinds === 'changes' ? undefined : kinds })
  }
  const narrowed = search.room ?? search.customer
  return (
    <Group gap="xs" mb="sm" role="group" aria-label={t('kinds')} data-screen-only>
      <Group gap="xs" mr="md">
        <Chip.Group multiple value={kindsOf(search)} onChange={choose}>
          {offered.map((each) => (
            <Chip key={each} value={each} size="xs" variant="outline">
              {t(`kind.${each}`)}
            </Chip>
          ))}
        </Chip.Group>
      </Group>
      <Chip
        size="xs"
        variant="outline"
        checked={search.today === true}
        onChange={(isOnly) => change({ today: isOnly ? true : undefined })}
      >
        {t('onlyToday')}
      </Chip>
      <Chip
        size="xs"
        variant="outline"
        checked={search.mine === true}
        onChange={(areOnly) => change({ mine: areOnly ? true : undefined })}
      >
        {t('mine')}
      </Chip>
      {narrowed !== undefined && (
        <ToolbarButton icon={IconX} onClick={() => change({ room: undefined, customer: undefined })}>
          {t('without', { name: narrowed })}
        </ToolbarButton>
      )}
    </Group>
  )
}
