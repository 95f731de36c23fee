//! Indexing by combinations of positions, ranges, arrays, new axes and an ellipsis, drawn at random.

use jarrah_array::numpy::{Ellipsis, NewAxis, StepBy, steps};

use super::rows;

rows! {
    "numpy.Array.at[].add": "x.at[i, 1:-3, 1, ::2].add(y)" => |x: wide(5, 3, 3, 2), i: i32<4>(), y: wide(0, 1)|
        x.at((i, steps(1, -3, 1), 1, (..).step(2))).add(y);
    "numpy.indexing": "x[...]" => |x: wide(2, 2, 2, 1)|
        x.index((Ellipsis,));
    "numpy.Array.at[].add": "x.at[::-2, -3, ..., :, 1].add(y)" => |x: wide(1, 3, 2, 2), y: wide(1, 2)|
        x.at(((..).step(-2), -3, Ellipsis, .., 1)).add(y);
    "numpy.indexing": "x[i, ..., 0]" => |x: wide(1, 2), i: i32<0>(3)|
        x.index((i, Ellipsis, 0));
    "numpy.indexing": "x[None, :]" => |x: wide(2)|
        x.index((NewAxis, ..));
    "numpy.indexing": "x[...]" => |x: wide(1, 4, 2, 1)|
        x.index((Ellipsis,));
    "numpy.indexing": "x[i]" => |x: wide(3), i: i32<2>(1, 1)|
        x.index((i,));
    "numpy.indexing": "x[..., 1:]" => |x: wide(4)|
        x.index((Ellipsis, 1..));
    "numpy.indexing": "x[:, i, j]" => |x: wide(1, 5, 3), i: i32<4>(), j: i32<2>(1)|
        x.index((.., i, j));
    "numpy.Array.at[].add": "x.at[0, None, i].add(y)" => |x: wide(4, 3), i: i32<2>(1), y: wide(1, 1)|
        x.at((0, NewAxis, i)).add(y);
    "numpy.indexing": "x[0, 2:0, ..., 0]" => |x: wide(3, 2, 5, 1)|
        x.index((0, steps(2, 0, 1), Ellipsis, 0));
    "numpy.indexing": "x[i]" => |x: wide(2), i: i32<1>()|
        x.index((i,));
    "numpy.indexing": "x[...]" => |x: wide(1)|
        x.index((Ellipsis,));
    "numpy.Array.at[].add": "x.at[i, j, ...].add(y)" => |x: wide(5, 5, 4), i: i32<4>(), j: i32<4>(), y: wide(4)|
        x.at((i, j, Ellipsis)).add(y);
    "numpy.indexing": "x[None, 0:1:3, -2, i, -2]" => |x: wide(1, 2, 5, 4), i: i32<4>(1)|
        x.index((NewAxis, steps(0, 1, 3), -2, i, -2));
    "numpy.indexing": "x[:]" => |x: wide(4)|
        x.index((..,));
    "numpy.Array.at[].add": "x.at[i].add(y)" => |x: wide(3), i: i32<2>(), y: wide()|
        x.at((i,)).add(y);
    "numpy.indexing": "x[None, :, -4:-2]" => |x: wide(1, 5)|
        x.index((NewAxis, .., -4..-2));
    "numpy.indexing": "x[0, 0:-1]" => |x: wide(1, 1)|
        x.index((0, steps(0, -1, 1)));
    "numpy.indexing": "x[0:0, i, -1]" => |x: wide(1, 3, 1), i: i32<2>(2)|
        x.index((0..0, i, -1));
    "numpy.indexing": "x[...]" => |x: wide(1, 1)|
        x.index((Ellipsis,));
    "numpy.Array.at[].set": "x.at[-1, 0, ::-2].set(y)" => |x: wide(1, 1, 4), y: wide(2)|
        x.at((-1, 0, (..).step(-2))).set(y);
    "numpy.indexing": "x[i]" => |x: wide(1), i: i32<0>(2, 1)|
        x.index((i,));
    "numpy.Array.at[].add": "x.at[i, j, None, -1].add(y)" => |x: wide(2, 3, 1), i: i32<1>(), j: i32<2>(), y: wide(1)|
        x.at((i, j, NewAxis, -1)).add(y);
    "numpy.Array.at[].add": "x.at[..., :].add(y)" => |x: wide(4, 5, 3), y: wide(4, 5, 3)|
        x.at((Ellipsis, ..)).add(y);
    "numpy.indexing": "x[-5, -3, -4, ...]" => |x: wide(5, 5, 4, 4)|
        x.index((-5, -3, -4, Ellipsis));
    "numpy.Array.at[].add": "x.at[2:2].add(y)" => |x: wide(3), y: wide(0)|
        x.at((2..2,)).add(y);
    "numpy.indexing": "x[None, 2:-2, i]" => |x: wide(5, 3), i: i32<2>()|
        x.index((NewAxis, steps(2, -2, 1), i));
    "numpy.Array.at[].add": "x.at[0, None, ..., -4:, 1:].add(y)" => |x: wide(1, 3, 5, 2), y: wide(1, 3, 4, 1)|
        x.at((0, NewAxis, Ellipsis, -4.., 1..)).add(y);
    "numpy.Array.at[].add": "x.at[i, j, -2, 3].add(y)" => |x: wide(5, 5, 2, 5), i: i32<4>(2, 1), j: i32<4>(2), y: wide(2, 2)|
        x.at((i, j, -2, 3)).add(y);
    "numpy.indexing": "x[0:2]" => |x: wide(3)|
        x.index((0..2,));
    "numpy.indexing": "x[-1::-3, None, ..., :]" => |x: wide(3, 2)|
        x.index(((-1..).step(-3), NewAxis, Ellipsis, ..));
    "numpy.indexing": "x[2:1, None, -5:0, :]" => |x: wide(2, 5, 2)|
        x.index((steps(2, 1, 1), NewAxis, -5..0, ..));
    "numpy.indexing": "x[-1::3, ::-1]" => |x: wide(2, 1)|
        x.index(((-1..).step(3), (..).step(-1)));
    "numpy.indexing": "x[:, -4::2, -1]" => |x: wide(3, 4, 1)|
        x.index((.., (-4..).step(2), -1));
    "numpy.indexing": "x[2, ::3, i, 0:1]" => |x: wide(5, 2, 4, 1), i: i32<3>()|
        x.index((2, (..).step(3), i, 0..1));
    "numpy.indexing": "x[-3:-2:2, 1:1, i, 1:0:-1]" => |x: wide(3, 3, 5, 1), i: i32<4>()|
        x.index((steps(-3, -2, 2), 1..1, i, steps(1, 0, -1)));
    "numpy.indexing": "x[1, i]" => |x: wide(5, 3), i: i32<2>(2)|
        x.index((1, i));
    "numpy.Array.at[].set": "x.at[-1].set(y)" => |x: wide(3), y: wide()|
        x.at((-1,)).set(y);
    "numpy.indexing": "x[-3::-1, -1, :, i]" => |x: wide(3, 1, 4, 5), i: i32<4>(1, 1)|
        x.index(((-3..).step(-1), -1, .., i));
    "numpy.indexing": "x[None, None, -1:1]" => |x: wide(2)|
        x.index((NewAxis, NewAxis, -1..1));
    "numpy.indexing": "x[1, i, :, 1:0:-1]" => |x: wide(5, 3, 2, 1), i: i32<2>(3, 3)|
        x.index((1, i, .., steps(1, 0, -1)));
    "numpy.Array.at[].add": "x.at[i, j, :, :].add(y)" => |x: wide(1, 1, 4, 3), i: i32<0>(), j: i32<0>(), y: wide(4, 3)|
        x.at((i, j, .., ..)).add(y);
    "numpy.indexing": "x[4]" => |x: wide(5)|
        x.index((4,));
    "numpy.indexing": "x[i, j, :]" => |x: wide(4, 1, 3), i: i32<3>(2, 1), j: i32<0>(2, 1)|
        x.index((i, j, ..));
    "numpy.indexing": "x[None, ::-1, i]" => |x: wide(2, 1), i: i32<0>(1)|
        x.index((NewAxis, (..).step(-1), i));
    "numpy.indexing": "x[-1, ...]" => |x: wide(1, 1, 2)|
        x.index((-1, Ellipsis));
    "numpy.Array.at[].add": "x.at[:, :, None, -1, 2:-2:-2].add(y)" => |x: wide(5, 5, 2, 4), y: wide(5, 5, 1, 0)|
        x.at((.., .., NewAxis, -1, steps(2, -2, -2))).add(y);
    "numpy.indexing": "x[0:-1, -2, -1, None, None, 0:5]" => |x: wide(1, 5, 1, 5)|
        x.index((steps(0, -1, 1), -2, -1, NewAxis, NewAxis, 0..5));
    "numpy.indexing": "x[..., :, 0, -2:, :]" => |x: wide(5, 1, 4, 3)|
        x.index((Ellipsis, .., 0, -2.., ..));
    "numpy.indexing": "x[1::-2]" => |x: wide(2)|
        x.index(((1..).step(-2),));
    "numpy.Array.at[].add": "x.at[None, -3, ..., -2:].add(y)" => |x: wide(3, 2, 2), y: wide(1, 2, 2)|
        x.at((NewAxis, -3, Ellipsis, -2..)).add(y);
    "numpy.indexing": "x[0]" => |x: wide(1)|
        x.index((0,));
    "numpy.Array.at[].set": "x.at[None, ..., :, -1:, 4:, 0:].set(y)" => |x: wide(5, 2, 5, 2), y: wide(1, 5, 1, 1, 2)|
        x.at((NewAxis, Ellipsis, .., -1.., 4.., 0..)).set(y);
    "numpy.indexing": "x[-5]" => |x: wide(5)|
        x.index((-5,));
    "numpy.indexing": "x[i, :, -2:-2:-1]" => |x: wide(1, 2, 3), i: i32<0>(1, 2)|
        x.index((i, .., steps(-2, -2, -1)));
    "numpy.indexing": "x[:, ..., :]" => |x: wide(5, 4, 3, 5)|
        x.index((.., Ellipsis, ..));
    "numpy.Array.at[].set": "x.at[:, :, -2::-1, ::-2].set(y)" => |x: wide(5, 2, 2, 4), y: wide(5, 2, 1, 2)|
        x.at((.., .., (-2..).step(-1), (..).step(-2))).set(y);
    "numpy.indexing": "x[0:0]" => |x: wide(3)|
        x.index((0..0,));
    "numpy.Array.at[].add": "x.at[..., -2, :, -3:, :].add(y)" => |x: wide(2, 3, 4, 5), y: wide(3, 3, 5)|
        x.at((Ellipsis, -2, .., -3.., ..)).add(y);
    "numpy.indexing": "x[::2, i, :]" => |x: wide(5, 1, 3), i: i32<0>()|
        x.index(((..).step(2), i, ..));
    "numpy.Array.at[].add": "x.at[2, None, 1:0, -2].add(y)" => |x: wide(4, 1, 2), y: wide(1, 0)|
        x.at((2, NewAxis, steps(1, 0, 1), -2)).add(y);
    "numpy.Array.at[].add": "x.at[::2, -2].add(y)" => |x: wide(4, 2), y: wide(2)|
        x.at(((..).step(2), -2)).add(y);
    "numpy.Array.at[].add": "x.at[2, i, -3:-1].add(y)" => |x: wide(4, 1, 3), i: i32<0>(), y: wide(2)|
        x.at((2, i, -3..-1)).add(y);
    "numpy.indexing": "x[2:0:-3, i, j, ...]" => |x: wide(5, 3, 5, 3), i: i32<2>(), j: i32<4>()|
        x.index((steps(2, 0, -3), i, j, Ellipsis));
    "numpy.Array.at[].add": "x.at[-1:-1, i, 3:2].add(y)" => |x: wide(1, 2, 3), i: i32<1>(), y: wide(0, 0)|
        x.at((-1..-1, i, steps(3, 2, 1))).add(y);
    "numpy.Array.at[].add": "x.at[:, 3:1:-1].add(y)" => |x: wide(1, 3), y: wide(1, 1)|
        x.at((.., steps(3, 1, -1))).add(y);
    "numpy.indexing": "x[::-3, 2]" => |x: wide(2, 3)|
        x.index(((..).step(-3), 2));
    "numpy.Array.at[].add": "x.at[-1].add(y)" => |x: wide(1), y: wide()|
        x.at((-1,)).add(y);
    "numpy.indexing": "x[..., -4:]" => |x: wide(4, 1, 4)|
        x.index((Ellipsis, -4..));
    "numpy.indexing": "x[None, ::-1]" => |x: wide(5)|
        x.index((NewAxis, (..).step(-1)));
    "numpy.indexing": "x[0:1]" => |x: wide(1)|
        x.index((0..1,));
    "numpy.indexing": "x[..., :, -2]" => |x: wide(5, 1, 2)|
        x.index((Ellipsis, .., -2));
    "numpy.indexing": "x[None, None, i, -3, j, ::-3]" => |x: wide(3, 4, 1, 1), i: i32<2>(1), j: i32<0>(1)|
        x.index((NewAxis, NewAxis, i, -3, j, (..).step(-3)));
    "numpy.Array.at[].set": "x.at[0:-4:2, -3].set(y)" => |x: wide(5, 3), y: wide(1)|
        x.at((steps(0, -4, 2), -3)).set(y);
    "numpy.indexing": "x[:, :, 4:-2]" => |x: wide(2, 3, 5)|
        x.index((.., .., steps(4, -2, 1)));
    "numpy.indexing": "x[..., :]" => |x: wide(3)|
        x.index((Ellipsis, ..));
    "numpy.Array.at[].set": "x.at[None, ..., -2].set(y)" => |x: wide(1, 5, 2, 2), y: wide(1, 1, 5, 2)|
        x.at((NewAxis, Ellipsis, -2)).set(y);
    "numpy.Array.at[].add": "x.at[:, 1:1, 0:1].add(y)" => |x: wide(5, 2, 1), y: wide(5, 0, 1)|
        x.at((.., 1..1, 0..1)).add(y);
    "numpy.indexing": "x[i, None, j, None, :]" => |x: wide(3, 5, 2), i: i32<2>(2, 2), j: i32<4>(1, 2)|
        x.index((i, NewAxis, j, NewAxis, ..));
    "numpy.indexing": "x[1:-1, ::2]" => |x: wide(2, 3)|
        x.index((steps(1, -1, 1), (..).step(2)));
    "numpy.indexing": "x[None, 0]" => |x: wide(1)|
        x.index((NewAxis, 0));
    "numpy.indexing": "x[-3:2:-1]" => |x: wide(4)|
        x.index((steps(-3, 2, -1),));
    "numpy.Array.at[].add": "x.at[1:0, ..., -3:].add(y)" => |x: wide(4, 5, 5), y: wide(0, 5, 3)|
        x.at((steps(1, 0, 1), Ellipsis, -3..)).add(y);
    "numpy.indexing": "x[0:-1, -1, ..., :]" => |x: wide(1, 1, 4)|
        x.index((steps(0, -1, 1), -1, Ellipsis, ..));
    "numpy.indexing": "x[-1::3]" => |x: wide(4)|
        x.index(((-1..).step(3),));
    "numpy.Array.at[].set": "x.at[2, ::-3].set(y)" => |x: wide(5, 5), y: wide(2)|
        x.at((2, (..).step(-3))).set(y);
    "numpy.indexing": "x[:, ::3, i, :]" => |x: wide(4, 4, 5, 4), i: i32<4>(2)|
        x.index((.., (..).step(3), i, ..));
    "numpy.Array.at[].add": "x.at[i, None, -4].add(y)" => |x: wide(4, 5), i: i32<3>(3, 1), y: wide(3, 1, 1)|
        x.at((i, NewAxis, -4)).add(y);
    "numpy.Array.at[].add": "x.at[-3, 3::-3].add(y)" => |x: wide(3, 5), y: wide(2)|
        x.at((-3, (3..).step(-3))).add(y);
}
