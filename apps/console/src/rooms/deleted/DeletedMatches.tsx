import { Text } from '@mantine/core'
import { isAdministrator } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { apiQuery } from '#api/queries.ts'
import { formatRecent } from '#ui/format.ts'

/** Where no room is found: the deleted rooms of this name, which administrators can bring back. */
export function DeletedMatches({ search }: { search: string }) {
  const { t } = useTranslation('rooms')
  const { data } = useQuery({
    ...apiQuery(['deleted-rooms', 'matching', search], 'deletedRooms', { query: { search, size: 1 } }),
    enabled: isAdministrator(useOperator().role) && search !== '',
  })
  const newest = data?.data[0]
  if (data === undefined || newest === undefined) return null
  const { projectRoomName: name, deletedAt, deletedBy } = newest
  return (
    <Text mb="md">
      {t('empty.deleted', { count: data.totalElements, name, at: formatRecent(deletedAt), by: deletedBy })}{' '}
      <Link to="/project/deleted" search={{ search }}>
        {t('empty.bringBack')}
      </Link>
    </Text>
  )
}
