import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import weka.classifiers.Evaluation;
import weka.classifiers.trees.HoeffdingTree;
import weka.core.*;
import weka.core.converters.ArffLoader.ArffReader;

/**
 * Cross-validations of HoeffdingTree in one process. A line of standard input is a path, a tab, and options; a line of
 * standard output is the number of right answers in ten folds (seed 1).
 */
public class StreamFolds {
  public static void main(String[] arguments) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      String[] words = line.split("\t");
      Instances data;
      try (Reader file = new InputStreamReader(new FileInputStream(words[0]), StandardCharsets.UTF_8)) {
        data = new ArffReader(new BufferedReader(file)).getData();
      }
      data.setClassIndex(data.numAttributes() - 1);
      HoeffdingTree tree = new HoeffdingTree();
      tree.setOptions(Utils.splitOptions(words[1]));
      Evaluation evaluation = new Evaluation(data);
      evaluation.crossValidateModel(tree, data, 10, new Random(1));
      System.out.println((int) evaluation.correct());
    }
  }
}
