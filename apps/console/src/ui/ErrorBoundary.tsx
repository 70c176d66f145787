import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** Shown in place of children that failed. @param reset renders the children again */
  fallback?: (reset: () => void) => ReactNode
  onError?: () => void
  children: ReactNode
}

/** Confines a failure to render or to load to one part of the page: forms around it keep what was entered. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }
  static getDerivedStateFromError() {
    return { hasFailed: true }
  }
  override componentDidCatch() {
    this.props.onError?.()
  }
  override render() {
    if (!this.state.hasFailed) return this.props.children
    return this.props.fallback?.(() => this.setState({ hasFailed: false }))
  }
}
