import { licenceTotalKeys, type LicenceTotals as Totals } from '@roomkeeper/contract'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNumberFormat } from '#ui/format.ts'
import classes from './LicenceTotals.module.css'

/** In pixels, as in the style. */
const linePixels = 18

/** The licence totals of all matching rooms, in one line that unfolds; zeros are omitted. @param totals null: not known yet */
export function LicenceTotals({ totals }: { totals: Totals | null }) {
  const { t } = useTranslation('rooms')
  const number = useNumberFormat()
  const [isOpen, setIsOpen] = useState(false)
  const [isLong, setIsLong] = useState(false)
  const list = useCallback((line: HTMLElement | null) => {
    if (line === null) return
    const observer = new ResizeObserver(() => setIsLong(line.scrollHeight > linePixels + 4))
    observer.observe(line)
    return () => observer.disconnect()
  }, [])
  const shown = totals && licenceTotalKeys.map((key) => ({ key, count: totals[key] })).filter(({ count }) => count > 0)
  if (shown?.length === 0) return null
  return (
    <section className={classes.root} aria-label={t('totals.title')}>
      <span className={classes.title}>{t('totals.title')}</span>
      <dl ref={list} data-open={isOpen || undefined}>
        {shown === null && <div>…</div>}
        {shown?.map(({ key, count }) => (
          <div key={key}>
            <dt>{t(`totals.${key}`)}</dt>
            <dd>{number.format(count)}</dd>
          </div>
        ))}
      </dl>
      {isLong && (
        <button type="button" className={classes.more} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {t(isOpen ? 'totals.less' : 'totals.more')}
        </button>
      )}
    </section>
  )
}
