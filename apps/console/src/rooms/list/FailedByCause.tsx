import { Button } from '@mantine/core'
import { mayTakeInBulk } from '@roomkeeper/rules'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { openStartBulk } from '#bulks/index.ts'
import { useNumberFormat } from '#ui/format.ts'
import { roomQueryOf } from './list-request.ts'
import { failedRoomsQuery } from './queries.ts'
import classes from './RoomsToolbar.module.css'
import type { RoomsSearch } from './search.ts'

/**
 * How many of the rooms are in error for each cause. Each leads to these alone, and from there back to all. Those whose
 * region does not answer can be retried once it is back.
 */
export function FailedByCause({ search }: { search: RoomsSearch }) {
  const { t } = useTranslation('rooms')
  const number = useNumberFormat()
  const { role } = useOperator()
  const ofAnyCause = { ...search, cause: undefined, page: undefined }
  const { data = [] } = useQuery({
    ...failedRoomsQuery(roomQueryOf(ofAnyCause)),
    placeholderData: keepPreviousData,
  })
  if (data.length === 0) return null
  const count = data.find(({ cause }) => cause === 'region-unreachable')?.rooms ?? 0
  const retryWhenBack = () => {
    const query = roomQueryOf({ ...ofAnyCause, cause: 'region-unreachable' })
    openStartBulk({ action: 'retry', selection: { query, except: [] }, count, whenRegionIsBack: true })
  }
  return (
    <nav aria-label={t('failure.byCause')}>
      <ul className={classes.causes}>
        {data.map(({ cause, rooms }) => (
          <li key={cause}>
            {/* The router marks the chosen one as current. */}
            <Link to="/project/administration" search={search.cause === cause ? ofAnyCause : { ...ofAnyCause, cause }}>
              {t('filters.chip', { name: t(`causes.${cause}`), value: number.format(rooms) })}
            </Link>
          </li>
        ))}
        {count > 0 && mayTakeInBulk('retry', role) && (
          <li>
            <Button variant="subtle" size="compact-sm" onClick={retryWhenBack}>
              {t('failure.retryWhenBack')}
            </Button>
          </li>
        )}
      </ul>
    </nav>
  )
}
