//! The page with the graph of a pipeline.

use jarrah::data::StageStatistics;

use crate::pipeline_figures::{COLUMNS, Measured};

/// The extents of a stage's box, and the room between boxes, in pixels.
const WIDTH: usize = 260;
const HEIGHT: usize = 92;
const GAP: usize = 48;

const STYLE: &str = "body{font:14px/1.5 system-ui,sans-serif;margin:2rem;color:#1c2430;background:#fff}\
    h1{font-size:1.1rem}table{border-collapse:collapse;margin-top:1rem}\
    td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #dde3ea}\
    td:nth-child(2),th:nth-child(2){text-align:left}\
    td.element{text-align:left;font-family:ui-monospace,monospace;color:#51607a;word-break:break-word}\
    svg text{font:13px system-ui,sans-serif;fill:#1c2430}svg .dim{fill:#51607a;font-size:12px}\
    svg .box{fill:#f4f7fa;stroke:#b8c4d3}svg .bar{fill:#3b7dd8}svg .edge{fill:none;stroke:#8697ad}";

/// The text as HTML writes it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A page that needs no other file: the graph, a table of the figures, and the element behind each stage.
pub fn page(title: &str, found: &Measured, elements: &[Option<String>]) -> String {
    let rows = found.rows();
    let mut table = String::new();
    for (i, row) in rows.iter().enumerate() {
        let tag = if i == 0 { "th" } else { "td" };
        let cells: String = row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        table += &format!("<tr>{cells}</tr>\n");
        if let Some(element) = i.checked_sub(1).and_then(|stage| elements.get(stage)?.as_ref()) {
            table += &format!(
                "<tr><td></td><td class=\"element\" colspan=\"{}\">{}</td></tr>\n",
                COLUMNS - 1,
                escaped(element)
            );
        }
    }
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n<style>{STYLE}</style></head>\n\
         <body><h1>{title}</h1>\n{}<p>{}</p>\n<table>\n{table}</table></body></html>\n",
        graph(found),
        escaped(&found.bound())
    )
}

/// The row of each stage: that behind the last of its inputs.
fn depths(stages: &[StageStatistics]) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(stages.len());
    for stage in stages {
        let inputs = stage.stage.inputs.iter().filter_map(|&input| depths.get(input));
        depths.push(inputs.max().map_or(0, |deepest| deepest + 1));
    }
    depths
}

fn graph(found: &Measured) -> String {
    let depths = depths(&found.stages);
    let mut columns = vec![0; depths.iter().max().map_or(0, |deepest| deepest + 1)];
    let places: Vec<(usize, usize)> = depths
        .iter()
        .map(|&depth| {
            columns[depth] += 1;
            ((columns[depth] - 1) * (WIDTH + GAP), depth * (HEIGHT + GAP))
        })
        .collect();
    let (rows, mut edges, mut boxes) = (found.rows(), String::new(), String::new());
    for ((i, s), &(x, y)) in found.stages.iter().enumerate().zip(&places) {
        for &(from_x, from_y) in s.stage.inputs.iter().filter_map(|&input| places.get(input)) {
            let (x0, y0, x1) = (from_x + WIDTH / 2, from_y + HEIGHT, x + WIDTH / 2);
            let half = (y0 + y) / 2;
            edges += &format!("<path class=\"edge\" d=\"M{x0} {y0}C{x0} {half} {x1} {half} {x1} {y}\"/>\n");
        }
        let row = &rows[i + 1];
        let bar = (found.share(s) * (WIDTH - 20) as f64) as usize;
        boxes += &format!(
            "<rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\"/>\n\
             <text x=\"{tx}\" y=\"{}\">{i} {} <tspan class=\"dim\">line {}</tspan></text>\n\
             <text class=\"dim\" x=\"{tx}\" y=\"{}\">{} out, {}/s</text>\n\
             <text class=\"dim\" x=\"{tx}\" y=\"{}\">own {} ({}), waited {}, held {}</text>\n\
             <rect class=\"bar\" x=\"{tx}\" y=\"{}\" width=\"{bar}\" height=\"5\"/>\n",
            y + 22,
            escaped(&row[1]),
            row[2],
            y + 44,
            row[5],
            row[6],
            y + 64,
            row[7],
            row[8],
            row[9],
            row[10],
            y + HEIGHT - 14,
            tx = x + 10,
        );
    }
    let width = columns.iter().max().map_or(0, |most| most * (WIDTH + GAP));
    let height = columns.len() * (HEIGHT + GAP);
    format!("<svg width=\"{width}\" height=\"{height}\" role=\"img\">\n{edges}{boxes}</svg>\n")
}
