import { Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { AuditEntry, AuditQuery } from '@roomkeeper/contract'
import { operatorOf, tokenNameOf } from '@roomkeeper/rules'
import { IconDownload, IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { apiQuery, loadStateOf } from '#api/queries.ts'
import { OperationLog } from '#operations/index.ts'
import { CsvFormatMenu } from '#ui/CsvFormatMenu.tsx'
import { chosenCsvFormat } from '#ui/csv-format.ts'
import { DisclosureButton } from '#ui/DisclosureButton.tsx'
import { downloadFrom } from '#ui/download-from.ts'
import { formatMoment } from '#ui/format.ts'
import { ListPage, PagedTable } from '#ui/ListPage.tsx'
import { ToolbarButton } from '#ui/Toolbar.tsx'
import type { Column } from '#ui/table/column.ts'
import { toastSuccess } from '#ui/toast.ts'
import { usePagedSearch } from '#ui/use-paged-search.ts'
import classes from './Audit.module.css'
import { AuditFilter } from './AuditFilter.tsx'
import { type AuditSearch, auditExportQueryOf, auditFilters, auditQueryOf } from './audit-search.ts'
import { ChangesTable, useChangeTexts } from './ChangesTable.tsx'
import { EntryOutcome, WhyFailed } from './EntryOutcome.tsx'
import { detailOf, nameOfActor, useAuditActions } from './entry-names.ts'

/** The audit trail: who did what, when, and with which room. For administrators. */
export function AuditPage() {
  const { t } = useTranslation('audit')
  const list = usePagedSearch('/project/_signed-in/audit', { name: 'audit', filters: auditFilters })
  const query = useQuery(auditQuery(auditQueryOf(list.search, list.wanted.size)))
  return (
    <ListPage title={t('trail.title')} onRefresh={query.refetch} actions={<Actions search={list.search} />}>
      <PagedTable
        label={t('trail.title')}
        list={list}
        found={query.data}
        columns={useColumns()}
        rowId={({ id }) => id}
        details={(entry) => <EntryDetails entry={entry} />}
        load={loadStateOf(query, t('trail.failed'))}
        filter={{ more: <AuditFilter list={list} isOutdated={query.isPlaceholderData} /> }}
        none={{ icon: IconHistory, title: t('none'), text: t('trail.hint') }}
        noMatch={{ title: t('trail.noMatch'), text: t('trail.noMatchText') }}
      />
    </ListPage>
  )
}

/** A page of the whole trail, newest first. */
function auditQuery(query: AuditQuery) {
  return { ...apiQuery(['audit', query], 'audit', { query }), placeholderData: keepPreviousData }
}

function Actions({ search }: { search: AuditSearch }) {
  const { t } = useTranslation('audit')
  const download = useMutation({
    mutationFn: async () => {
      const body = { query: auditExportQueryOf(search), csv: chosenCsvFormat() }
      downloadFrom((await client.call('createAuditTicket', { body })).body.url)
    },
    onSuccess: () => toastSuccess(t('export.title'), t('export.done')),
    meta: { failed: t('export.title'), failedText: t('export.failed') },
  })
  return (
    <>
      <ToolbarButton icon={IconDownload} loading={download.isPending} onClick={() => download.mutate()}>
        {t('export.title')}
      </ToolbarButton>
      <CsvFormatMenu onExport={() => download.mutate()} />
    </>
  )
}

function useColumns(): Column<AuditEntry>[] {
  const { t } = useTranslation(['audit', 'errors'])
  const { changeOf } = useChangeTexts({ tenantName: '' })
  const { nameOf } = useAuditActions()
  return [
    {
      id: 'at',
      title: t('trail.at'),
      size: 160,
      text: 'whole',
      cell: ({ at }) => <time dateTime={at}>{formatMoment(at)}</time>,
    },
    {
      id: 'actor',
      title: t('trail.actor'),
      text: 'wrapped',
      size: { share: 4, atLeast: 120 },
      cell: ({ actor }) => <Actor actor={actor} />,
    },
    { id: 'action', title: t('trail.action'), size: { share: 6, atLeast: 140 }, cell: nameOf },
    {
      id: 'outcome',
      title: t('trail.outcome'),
      size: 130,
      cell: (entry) => <EntryOutcome entry={entry} />,
    },
    { id: 'room', title: t('trail.room'), size: { share: 3, atLeast: 200 }, cell: ({ room }) => room ?? '' },
    {
      id: 'detail',
      title: t('trail.detail'),
      size: { share: 8, atLeast: 120 },
      cell: (entry) => detailOf(entry) ?? entry.changes.map(changeOf).join(', '),
    },
    {
      id: 'details',
      title: t('trail.details'),
      isTitleHidden: true,
      isActions: true,
      size: 96,
      cell: (entry, details) => (
        <DisclosureButton
          isInText
          isOpen={details.isOpen}
          toggle={details.toggle}
          controls={details.id}
          aria-label={t('trail.detailsOf', { name: nameOf(entry), at: formatMoment(entry.at) })}
        >
          {t('trail.details')}
        </DisclosureButton>
      ),
    },
  ]
}

/** The operator, and below it the API token with which it was done. */
function Actor({ actor }: Pick<AuditEntry, 'actor'>) {
  const { t } = useTranslation('audit')
  const token = tokenNameOf(actor)
  return (
    <>
      <div className={classes.actor} data-cut>
        {token === null ? nameOfActor(actor) : operatorOf(actor)}
      </div>
      {token !== null && (
        // Whole pixels, or the line below the row is lost between two.
        <Text component="div" c="dimmed" fz="xs" lh="16px">
          {t('trail.token', { name: token })}
        </Text>
      )}
    </>
  )
}

function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation(['audit', 'operations'])
  const [isLogOpen, log] = useDisclosure()
  const { id, detail, changes, room, operationId, requestId } = entry
  return (
    <Stack gap="sm" maw={960} pt="2xs" pb="xs">
      <WhyFailed entry={entry} />
      {detail !== null && <p className="rk-text">{detailOf(entry)}</p>}
      {changes.length > 0 && <ChangesTable changes={changes} room={room ?? ''} />}
      <dl className="rk-values">
        <dt>{t('trail.number')}</dt>
        <dd>{id}</dd>
        {requestId !== null && (
          <>
            <dt>{t('trail.request')}</dt>
            <dd>{requestId}</dd>
          </>
        )}
        {operationId !== null && (
          <>
            <dt>{t('trail.operation')}</dt>
            <dd>
              {operationId}{' '}
              <DisclosureButton isInText isOpen={isLogOpen} toggle={log.toggle}>
                {isLogOpen ? t('operations:hideLog') : t('operations:showLog')}
              </DisclosureButton>
            </dd>
          </>
        )}
      </dl>
      {isLogOpen && operationId !== null && <OperationLog operationId={operationId} />}
    </Stack>
  )
}
