import type { LicenceTotals, RoomList } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '#ui/format.ts'
import classes from './StatisticsTotals.module.css'

/** The licence sums in the order of specification 001 §2; ARIS and MINING viewers are added up. */
const sums = {
  designers: ({ designers }) => designers,
  viewers: ({ viewers, yukonViewer }) => viewers + yukonViewer,
  engineers: ({ yukonEngineer }) => yukonEngineer,
  analysts: ({ yukonAnalyst }) => yukonAnalyst,
  architects: ({ architects }) => architects,
  epBus: ({ epBus }) => epBus,
  epEam: ({ epEam }) => epEam,
  architectsSap: ({ architectsSap }) => architectsSap,
  designersSap: ({ designersSap }) => designersSap,
  aiCredits: ({ aiCredits }) => aiCredits,
} as const satisfies Record<string, (totals: LicenceTotals) => number>

/** The number of rooms that match the filter, and their licences in total. */
export function StatisticsTotals({ answer }: { answer: RoomList }) {
  const { t } = useTranslation('statistics')
  const number = useNumberFormat()
  return (
    <section className={classes.root} aria-label={t('totals.title')}>
      <dl>
        <Total name={t('totals.rooms')} value={number.format(answer.totalElements)} />
        {Object.entries(sums).map(([key, sum]) => (
          <Total key={key} name={t(`totals.${key as keyof typeof sums}`)} value={number.format(sum(answer.licenses))} />
        ))}
      </dl>
    </section>
  )
}

function Total({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
