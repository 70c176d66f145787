import type { BulkAction, CustomerDetail, ProjectRoom } from '@roomkeeper/contract'
import { mayTakeInBulk, roleAllows } from '@roomkeeper/rules'
import { IconArrowMerge, IconDoor, IconDownload, IconMail, IconPlayerPause } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { usePollInterval } from '#api/events.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { apiQuery, loadStateOf } from '#api/queries.ts'
import { openStartBulk } from '#bulks/index.ts'
import { LabelLinks } from '#labels/index.ts'
import { CsvFormatMenu } from '#ui/CsvFormatMenu.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ListPage, PagedTable } from '#ui/ListPage.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { Panel } from '#ui/Page.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import type { Column } from '#ui/table/column.ts'
import { NotLoaded } from '#ui/table/NotLoaded.tsx'
import { Table } from '#ui/table/Table.tsx'
import { toastSuccess } from '#ui/toast.ts'
import { usePagedSearch } from '#ui/use-paged-search.ts'
import { Expiry } from '../Expiry.tsx'
import { exportRooms } from '../export-rooms.ts'
import { LicenceTotals } from '../list/LicenceTotals.tsx'
import { roomQueryOf } from '../list/list-request.ts'
import type { RoomColumn } from '../list/search.ts'
import { MailLink } from '../MailLink.tsx'
import { roomColumns } from '../room-columns.tsx'
import { useRoomWords } from '../room-words.tsx'
import classes from './Customers.module.css'
import { customerQuery, refetchCustomers, useLiveCustomers } from './queries.ts'
import { RoomStates } from './RoomStates.tsx'

const MergeDialog = onDemand(() => import('./MergeDialog.tsx'), 'MergeDialog')

const route = getRouteApi('/project/_signed-in/customers/$key')

/** A customer: the project rooms, licences and people, and what is done for all of the rooms. */
export function CustomerPage() {
  const { key } = route.useParams()
  const navigate = route.useNavigate()
  const { t } = useTranslation('room-customers')
  const refetchInterval = useLiveCustomers()
  const customer = useQuery({ ...customerQuery(key), refetchInterval })
  const { data } = customer
  return (
    <ListPage
      key={key}
      title={data?.name ?? key}
      onBack={() => void navigate({ to: '/project/customers' })}
      beside={data && <RoomStates states={data.states} />}
      onRefresh={data && customer.refetch}
      actions={data && <Actions customer={data} />}
    >
      {data === undefined ? (
        <NotLoaded {...loadStateOf(customer, t('oneFailed'))} />
      ) : (
        <>
          <Facts customer={data} />
          <Rooms customer={data} />
          <div className="rk-panels">
            <Contacts customer={data} />
            <Spellings customer={data} />
          </div>
        </>
      )}
    </ListPage>
  )
}

/** All of the customer's rooms, as lists, bulks and exports ask for them. */
const roomsOf = ({ key }: Pick<CustomerDetail, 'key'>) => roomQueryOf({ customer: key })

function Actions({ customer }: { customer: CustomerDetail }) {
  const { t } = useTranslation(['room-customers', 'rooms'])
  const { role } = useOperator()
  const query = roomsOf(customer)
  const start = (action: BulkAction) =>
    openStartBulk({ action, selection: { query, except: [] }, count: customer.rooms })
  const download = useMutation({
    mutationFn: () => exportRooms(query),
    onSuccess: () => toastSuccess(t('rooms:export.title'), t('rooms:export.done')),
    meta: { failed: t('rooms:export.failed') },
  })
  return (
    <>
      {mayTakeInBulk('notify', role) && (
        <ToolbarButton icon={IconMail} onClick={() => start('notify')}>
          {t('writeToAll')}
        </ToolbarButton>
      )}
      {mayTakeInBulk('suspend', role) && (
        <ToolbarButton icon={IconPlayerPause} onClick={() => start('suspend')}>
          {t('suspendAll')}
        </ToolbarButton>
      )}
      <ToolbarButton icon={IconDownload} loading={download.isPending} onClick={() => download.mutate()}>
        {t('rooms:export.title')}
      </ToolbarButton>
      <CsvFormatMenu onExport={() => download.mutate()} />
      {roleAllows(role, 'admin') && (
        <ToolbarButton icon={IconArrowMerge} onClick={() => openDialog(<MergeDialog customer={customer} />)}>
          {t('merge.open')}
        </ToolbarButton>
      )}
    </>
  )
}

function Facts({ customer }: { customer: CustomerDetail }) {
  const { t } = useTranslation('room-customers')
  const number = useNumberFormat()
  return (
    <dl className="rk-facts">
      <div>
        <dt>{t('columns.rooms')}</dt>
        <dd>
          <Link to="/project/administration" search={{ customer: customer.name }}>
            {number.format(customer.rooms)}
          </Link>
        </dd>
      </div>
      <div>
        <dt>{t('columns.nextExpiry')}</dt>
        <dd>
          <Expiry day={customer.nextExpiry} words={useRoomWords()} />
        </dd>
      </div>
    </dl>
  )
}

const shown: readonly RoomColumn[] = [
  'product',
  'tenantName',
  'edition',
  'customerContact',
  'regionName',
  'expirationDate',
  'state',
]

function Rooms({ customer }: { customer: CustomerDetail }) {
  const { t } = useTranslation(['room-customers', 'rooms'])
  const words = useRoomWords()
  const list = usePagedSearch(route.id, { name: 'customer-rooms' })
  const query = { ...roomsOf(customer), ...list.wanted, order_dir: 'asc' as const }
  const rooms = useQuery({
    ...apiQuery(['customers', 'rooms', customer.key, query], 'listRooms', { query }, { background: 'refetch' }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(),
  })
  const columns: Column<ProjectRoom>[] = roomColumns(words, (id) => t(`rooms:columns.${id}`))
    .filter(({ id }) => shown.includes(id))
    .map((column) => (column.id === 'tenantName' ? { ...column, cell: linked } : column))
  if (rooms.data?.data.some((room) => room.labels.length > 0)) {
    columns.push({
      id: 'labels',
      title: t('rooms:columns.labels'),
      size: { share: 14, atLeast: 120 },
      cell: (room) => <LabelLinks labels={room.labels} />,
    })
  }
  return (
    <PagedTable
      label={t('columns.rooms')}
      list={list}
      found={
        rooms.data && {
          data: rooms.data.data,
          totalElements: rooms.data.totalElements ?? 0,
          totalPages: rooms.data.totalPages ?? 0,
        }
      }
      columns={columns}
      narrower={narrower}
      rowId={({ tenantName }) => tenantName}
      load={loadStateOf(rooms, t('rooms:empty.failed'))}
      none={{ icon: IconDoor, title: t('noRooms'), text: t('noRoomsText') }}
    >
      <LicenceTotals totals={customer.licences} />
    </PagedTable>
  )
}

const narrower = [[], ['product'], ['product', 'edition'], ['product', 'edition', 'customerContact']]

const linked = ({ tenantName }: ProjectRoom) => (
  <Link to="/project/edit_project_room/$id" params={{ id: tenantName }} preload={false}>
    {tenantName}
  </Link>
)

type Contact = CustomerDetail['contacts'][number]

function Contacts({ customer: { contacts } }: { customer: CustomerDetail }) {
  const { t } = useTranslation('room-customers')
  const number = useNumberFormat()
  const columns: Column<Contact>[] = [
    {
      id: 'email',
      title: t('contacts.email'),
      isName: true,
      text: 'wrapped',
      size: { share: 3, atLeast: 180 },
      cell: ({ email }) => <MailLink to={email} />,
    },
    { id: 'name', title: t('contacts.name'), size: { share: 2, atLeast: 100 }, cell: ({ name }) => name },
    { id: 'role', title: t('contacts.role'), size: 120, cell: ({ role }) => t(`contacts.roles.${role}`) },
    {
      id: 'rooms',
      title: t('columns.rooms'),
      align: 'end',
      text: 'whole',
      size: 116,
      cell: ({ rooms }) => number.format(rooms),
    },
  ]
  return (
    <Panel title={t('contacts.title')}>
      <Table
        label={t('contacts.title')}
        columns={columns}
        rows={contacts}
        rowId={({ role, email }) => `${role} ${email}`}
      />
    </Panel>
  )
}

/** The merged spellings, each of which can be a customer of its own again. */
function Spellings({ customer }: { customer: CustomerDetail }) {
  const { t } = useTranslation('room-customers')
  const number = useNumberFormat()
  const mayMerge = roleAllows(useOperator().role, 'admin')
  const separate = useSeparate(customer.name)
  if (customer.aliases.length === 0) return null
  return (
    <Panel title={t('spellings.title')}>
      <ul className={`rk-list ${classes.spellings}`}>
        {customer.aliases.map(({ name, rooms }) => (
          <li key={name} className="rk-line">
            <span className="rk-text rk-grow">{name}</span>
            <span className="rk-note">{t('spellings.rooms', { count: rooms, n: number.format(rooms) })}</span>
            {mayMerge && (
              <button
                type="button"
                className="rk-link"
                aria-label={t('separate.label', { name })}
                onClick={() => void separate(name)}
              >
                {t('separate.open')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function useSeparate(customer: string) {
  const { t } = useTranslation('room-customers')
  const queryClient = useQueryClient()
  return async (name: string) => {
    const isDone = await confirm({
      title: t('separate.title', { name }),
      question: t('separate.question', { name, customer }),
      confirm: t('separate.confirm'),
      failed: t('separate.failed'),
      run: () =>
        client.call('mergeCustomers', { body: { name, isNamed: null } }).then(() => refetchCustomers(queryClient)),
    })
    if (isDone) toastSuccess(name, t('separate.done'))
  }
}
