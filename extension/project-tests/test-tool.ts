import type * as vscode from 'vscode';
import type { TestReport } from './test-report';

/** A test that a project declares. */
export interface DeclaredTest<Test> {
  readonly test: Test;
  /** What contains it, from the outermost, and its name. */
  readonly path: readonly string[];
  /** Of several tests with this path, from 0. */
  readonly nth?: number;
  readonly uri: vscode.Uri;
  readonly range: vscode.Range | undefined;
}

/** The tests of a project. */
export interface ProjectListing<Test> {
  readonly tests: readonly DeclaredTest<Test>[];
  /** Why some may be missing. */
  readonly problem?: string | undefined;
}

/** A test to execute. */
export interface ChosenTest<Test> {
  readonly test: Test;
  readonly item: vscode.TestItem;
}

/** What lists, runs and debugs the tests of projects. Errors are shown at the tests. */
export interface TestTool<Project extends { readonly folder: string }, Test> {
  /** Of the controller. */
  readonly id: string;
  readonly label: string;
  /** Whether tests are listed again when this file changes. */
  isTestFile(path: string): boolean;
  list(project: Project, signal: AbortSignal): Promise<ProjectListing<Test>>;
  run(
    project: Project,
    chosen: readonly ChosenTest<Test>[],
    report: TestReport,
    signal: AbortSignal,
  ): Promise<void>;
  debug(
    project: Project,
    chosen: ChosenTest<Test>,
    report: TestReport,
    signal: AbortSignal,
  ): Promise<void>;
  dispose(): void;
}
