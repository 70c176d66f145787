import { useTranslation } from 'react-i18next'
import type { RoomsSearch } from '../search.ts'
import { useActiveView } from './use-views.ts'

/** The label of the button of the views: which one was chosen, and whether the list has been changed since. */
export function ViewName({ search }: { search: RoomsSearch }) {
  const { t } = useTranslation('views')
  const active = useActiveView(search)
  if (active === undefined) return t('title')
  const { name } = active.view
  return active.isChanged ? t('changed', { name }) : name
}
